import t from 'tap';
import { examState, sittingEnd } from './exam-state.ts';

const [before, opening, during, closing, after] = [7, 8, 9, 12, 13].map((hour) => new Date(Date.UTC(2027, 2, 3, hour)));
if (!before || !opening || !during || !closing || !after) throw new Error('no times');
const times = { announcedAt: before, opensAt: opening, closesAt: closing, markedAt: null, publishedAt: null };

t.test('the state follows from the times', async (t) => {
  t.equal(examState({ ...times, announcedAt: null }, during), 'draft', 'also after its opening');
  t.equal(examState(times, before), 'announced');
  t.equal(examState(times, opening), 'open');
  t.equal(examState(times, closing), 'closed');
  t.equal(examState({ ...times, markedAt: after }, after), 'marked');
  t.equal(examState({ ...times, markedAt: after, publishedAt: after }, after), 'published');
});

t.test('a sitting ends after its duration, at the latest when the exam closes', async (t) => {
  t.same(sittingEnd(opening, 90, closing), new Date(Date.UTC(2027, 2, 3, 9, 30)));
  t.same(sittingEnd(during, 240, closing), closing);
});
