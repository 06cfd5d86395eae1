import { planOf, play } from './support/exam-phones/scenario.ts';
import { memoryServer } from './support/exam-phones/server.ts';
import { seeded } from './support/random.ts';
const seed = Number(process.argv[2]);
const plan = planOf(seed);
console.log(JSON.stringify(plan.phones)); for (const s of plan.steps) console.log(JSON.stringify(s));
let open = 0;
const r = await play(plan, seeded(seed+1), (times) => { open = times.ouvre; const m = memoryServer(times); return { ...m, async call(w, b: any, now) { const x = await m.call(w, b as never, now); console.log('   server', now - times.ouvre, w, b ? JSON.stringify({...(b as any), envoye: b.envoye-open, debut: b.debut-open, reponses: b.reponses?.map((y: any)=>[y.q, y.t-open, JSON.stringify(y.g)].join(' '))}) : '', 'remis', x.body.remis?.le - open); return x; } }; });
console.log(r.wrong, r.outcome.cut - open);
