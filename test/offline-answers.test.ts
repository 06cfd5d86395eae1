import t from 'tap';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';
import { compareAnswers } from './support/offline-answers/compare.ts';
import { type Asked, Device, type Given } from './support/offline-answers/device.ts';
import { choiceQuestion, numberQuestion, textQuestion } from './support/questions.ts';
import { seeded } from './support/random.ts';
import { createWorld, type Server } from './support/world.ts';

// Random answers of learners on two devices each, sent later to two servers: calls are repeated, cut and sent from two tabs at once, and the
// servers are killed. The site must have each answer once, and count from them what SQL counts. Long form: 10,000 answers.

const answerCount = isLongForm ? 10_000 : 400;
const learnerCount = isLongForm ? 12 : 4;
const kills = isLongForm ? 30 : 3;
const seed = Number(process.env.SEED ?? 119);

t.setTimeout(isLongForm ? 900_000 : 90_000);
const world = await createWorld(t);
const prepa = await createPrepa(world);
const discipline = await createDiscipline(world, prepa.id);

const skipped = { passe: true } as const;
const id = (name: string, index: number) => `${name}${String(index).padStart(12 - name.length, '0')}`;
const choicesOf = (index: number) =>
  [0, 1, 2].map((choice) => ({ id: id(`c${choice}x`, index), text: `Choix ${choice}`, right: choice !== 1 }));

/** Creates an item with questions of each kind. */
async function createAsked(kind: 'course' | 'exercise' | 'quiz', from: number): Promise<Asked[]> {
  const choices = choicesOf(from);
  const single = choicesOf(from + 100).map((choice, index) => ({ ...choice, right: index === 0 }));
  const item = await createItem(world, discipline.id, {
    kind,
    contenu: [
      choiceQuestion({ id: id('several', from), choices, several: true }),
      choiceQuestion({ id: id('one', from), choices: single }),
      numberQuestion(id('number', from), '3,5', { tolerance: '0,1' }),
      textQuestion(id('text', from), ['Ahidjo']),
    ].join('<p>Suite.</p>'),
    ...(kind === 'exercise' && { corrige: '<p>Fin.</p>' }),
  });
  const asked = (name: string, right: Asked['right'], wrong: Asked['right'][]): Asked => ({
    id: id(name, from),
    item: item.id,
    inSeries: kind === 'quiz',
    right,
    wrong: [...wrong, skipped],
  });
  const [first = '', second = '', third = ''] = choices.map((choice) => choice.id);
  const [yes = '', no = ''] = single.map((choice) => choice.id);
  return [
    asked('several', { choix: [third, first] }, [{ choix: [first] }, { choix: [first, second, third] }]),
    asked('one', { choix: [yes] }, [{ choix: [no] }]),
    asked('number', { texte: '7/2' }, [{ texte: '3,7' }, { texte: 'trois' }]),
    asked('text', { texte: 'AHIDJO' }, [{ texte: 'Biya' }]),
  ];
}

t.test(
  'random answers of several devices, with kills, repeats and two tabs: none lost, none double, and all counts as SQL has them',
  async (t) => {
    const random = seeded(seed);
    const questions = [...(await createAsked('course', 1)), ...(await createAsked('exercise', 2)), ...(await createAsked('quiz', 3))];
    let servers: Server[] = await Promise.all([world.startServer(), world.startServer()]);
    const given = new Map<string, Given>();
    const tally: Record<string, number> = {};
    const devices: Device[] = [];
    for (let number = 0; number < learnerCount; number += 1) {
      const learner = await createLearner(world);
      await createEnrolment(world, learner, prepa, 20);
      const tag = await tagOf(servers[0] as Server, learner.session);
      for (const index of [0, 1])
        devices.push(
          new Device({
            servers: () => servers.map(({ url }) => url),
            learner,
            tag,
            questions,
            random: seeded(seed + 2 * number + index + 1),
            given,
            tally,
          }),
        );
    }

    /** Kills a server at a random moment while devices send, and starts another one. */
    async function killOne(): Promise<void> {
      const index = Math.floor(random() * servers.length);
      await servers[index]?.kill9();
      const next = await world.startServer();
      servers = servers.with(index, next);
    }

    const share = Math.ceil(answerCount / devices.length);
    for (let round = 0; round < kills; round += 1) {
      const upTo = Math.round((share * (round + 1)) / kills) - Math.round((share * round) / kills);
      const working = Promise.all(
        devices.map(async (device) => {
          for (let count = 0; count < upTo; count += 1) {
            await device.answer();
            if (count % 8 === 7) await device.send();
          }
          await device.send();
        }),
      );
      await killOne();
      await working;
    }
    for (let tries = 0; devices.some(({ waiting }) => waiting > 0) && tries < 500; tries += 1)
      await Promise.all(devices.map((device) => device.send()));

    const { lost, double, wrong, rows, examples } = await compareAnswers(world.databaseUrl, given);
    t.comment(
      `seed ${seed}: ${given.size} answers on ${devices.length} devices, ${kills} kills, ${JSON.stringify(tally)}; compared ${JSON.stringify(rows)}`,
    );
    t.equal(given.size, share * devices.length);
    t.same(
      { lost, double, wrong },
      { lost: 0, double: 0, wrong: { states: 0, tallies: 0, choices: 0, days: 0, series: 0 } },
      examples.slice(0, 8).join('\n'),
    );
    t.equal(rows.states, learnerCount * questions.length, 'each learner has answered each question');
    t.ok((rows.series ?? 0) > 0, 'a series was finished');
  },
);

/** Returns the tag by which calls name a learner. */
async function tagOf({ url }: Server, cookie: string): Promise<string> {
  const body = JSON.stringify({ appareil: '00000000-0000-4000-8000-000000000001', prepas: [] });
  const response = await fetch(`${url}/api/hors-ligne/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: url },
    body,
  });
  return ((await response.json()) as { learner: string }).learner;
}
