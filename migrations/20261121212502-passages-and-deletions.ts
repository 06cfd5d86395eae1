import { Migration } from '@mikro-orm/migrations';

export class PassagesAndDeletions extends Migration {
  override name = '20261121212502-passages-and-deletions';

  override up(): void | Promise<void> {
    // Deleted notifications are kept but hidden, so that the learner is not notified of the same event again.
    this.addSql(`drop index "notification_user_date_index";`);
    this.addSql(`alter table "notification" add "deleted_at" timestamptz null;`);
    this.addSql(`create index "notification_user_date_index" on "notification" ("user_id", "date_creation") where deleted_at is null;`);

    // The text from which passages are cut. A formula of one sign is shown as that sign, LaTeX without a command as its source, any other
    // formula as U+E002. The index covers only the words.
    this.addSql(`
      create function passage_text(html text) returns text language sql immutable parallel safe as $$
        select plain_text(regexp_replace(regexp_replace(regexp_replace(regexp_replace(translate(coalesce(html, ''), U&'\\E002', ''),
          ' data-latex="[^"]*"[^>]*><math[^>]*><m([ion])[^>]*>([^<]*)</m\\1></math>', '>\\2', 'g'),
          '<math[ >].*?</math>', '', 'g'),
          ' data-latex="([^"\\\\]{1,40})"[^>]*></', '>\\1</', 'g'),
          ' data-latex="[^"]*"[^>]*></', U&'>\\E002</', 'g'))
      $$;`);
    this.addSql(`
      alter table item
        drop column texte, drop column texte_corrige,
        add texte text generated always as (passage_text(contenu)) stored,
        add texte_corrige text generated always as (passage_text(corrige)) stored;`);

    // Returns the first piece of a long text that has all the stems, else the first that has some. A cheap test for the stems' beginnings
    // (without their last two letters) comes before the stemming of a piece.
    this.addSql(`
      create function passage_piece(texte text, stems text[], size int) returns text language plpgsql stable parallel safe as $$
      declare
        overlap constant int := 500;
        last constant int := (length(texte) - overlap - 1) / (size - overlap);
        beginnings constant text[] := array(select left(stem, greatest(length(stem) - 2, 2)) from unnest(stems) stem);
        piece text;
        folded text;
        held text[];
        best text;
      begin
        if length(texte) > size then
          for number in 0 .. last loop
            piece := substr(texte, number * (size - overlap) + 1, size);
            folded := lower(unaccent(piece));
            -- Once some of it has been found, only a piece that may hold all of it is looked at.
            continue when (select count(*) filter (where strpos(folded, beginning) > 0) from unnest(beginnings) beginning)
              < case when best is null then 1 else cardinality(beginnings) end;
            -- A word that is cut off is whole in the piece beside.
            if number > 0 then piece := regexp_replace(piece, '^\\S*', ''); end if;
            if number < last then piece := regexp_replace(piece, '\\S*$', ''); end if;
            held := tsvector_to_array(to_tsvector('prepa_fr', piece));
            if held @> stems then return piece; end if;
            if best is null and held && stems then best := piece; end if;
          end loop;
        end if;
        return coalesce(best, left(texte, size));
      end
      $$;`);
    // Returns a passage with all the searched words if there is one, else with some of them: the others are in the title or another piece.
    this.addSql(`
      create function passage(texte text, asked text, size int, options text, mark text) returns text language plpgsql stable parallel safe as $$
      declare
        stems constant text[] := tsvector_to_array(to_tsvector('prepa_fr', asked));
        either constant text := (select string_agg(quote_literal(stem), ' | ') from unnest(stems) stem where strpos(stem, '\\') = 0);
        piece constant text := passage_piece(texte, stems, size);
        cut text := ts_headline('prepa_fr', piece, websearch_to_tsquery('prepa_fr', asked), options);
      begin
        if strpos(cut, mark) = 0 and either is not null then cut := ts_headline('prepa_fr', piece, either::tsquery, options); end if;
        return cut;
      end
      $$;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop function passage(text, text, int, text, text);`);
    this.addSql(`drop function passage_piece(text, text[], int);`);
    this.addSql(`
      alter table item
        drop column texte, drop column texte_corrige,
        add texte text generated always as (plain_text(contenu)) stored,
        add texte_corrige text generated always as (plain_text(corrige)) stored;`);
    this.addSql(`drop function passage_text(text);`);

    this.addSql(`delete from notification where deleted_at is not null;`);
    this.addSql(`drop index "notification_user_date_index";`);
    this.addSql(`alter table "notification" drop column "deleted_at";`);
    this.addSql(`create index "notification_user_date_index" on "notification" ("user_id", "date_creation");`);
  }
}
