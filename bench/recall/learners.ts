import { default_w, FSRSAlgorithm, type FSRSState } from 'ts-fsrs';
import type { Random } from '../../test/support/random.ts';
import { factor, normal } from './draws.ts';

/** A simulated memory of one learner. Days are whole numbers from 0. */
interface Memory {
  /** Returns the probability that the learner knows the question on this day; 0 before it was studied. */
  recall(question: number, day: number): number;
  /** Changes the memory: the learner was asked, knew the answer or not, and saw the explanation. */
  practise(question: number, day: number, knew: boolean): void;
  /** Changes the memory: the learner read question and answer without being asked. */
  read(question: number, day: number): void;
}

/** A family of learners: what is drawn for each learner, and a new memory of a drawn learner. */
export type Family = (random: Random, questions: number) => () => Memory;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** FSRS-6 with each parameter drawn around its default, a stability of each learner and of each question. */
const fsrsLearners: Family = (random, questions) => {
  const own = factor(random, 0.5);
  const w = default_w.map((value, index) => {
    if (index < 4) return value * own * factor(random, 0.3);
    if (index === 20) return clamp(value * factor(random, 0.4), 0.1, 0.8);
    return value * factor(random, 0.2);
  });
  const memory = new FSRSAlgorithm({ w });
  const ease = Array.from({ length: questions }, () => factor(random, 0.5));
  return () => {
    const states: (FSRSState & { day: number })[] = [];
    const strength = (question: number): number => ease[question] as number;
    const recall = (question: number, day: number): number => {
      const state = states[question];
      return state ? memory.forgetting_curve(day - state.day, state.stability * strength(question)) : 0;
    };
    const next = (question: number, day: number, grade: 1 | 3): FSRSState => {
      const state = states[question];
      return memory.next_state(state ?? null, state ? day - state.day : 0, grade, state && recall(question, day));
    };
    return {
      recall,
      practise: (question, day, knew) => {
        states[question] = { ...next(question, day, knew ? 3 : 1), day };
      },
      // Retrieval strengthens about three times as much as reading again (Roediger and Karpicke 2006).
      read: (question, day) => {
        const state = states[question];
        if (!state) states[question] = { ...next(question, day, 1), day };
        else {
          const after = next(question, day, 3);
          states[question] = {
            difficulty: state.difficulty,
            stability: state.stability + (Math.max(after.stability, state.stability) - state.stability) / 3,
            day,
          };
        }
      },
    };
  };
};

/**
 * ACT-R's base-level learning with the decay of Pavlik and Anderson (2005), 'Practice and forgetting effects on vocabulary memory':
 * activation m = β + ln Σ b·t^(-d), d = c·e^m + a, recall = 1 / (1 + e^((τ - m) / s)). Time between days counts with the factor h.
 */
const actrLearners: Family = (random, questions) => {
  const a = 0.177 * factor(random, 0.2);
  const c = 0.217 * factor(random, 0.2);
  const threshold = -0.704 + 0.2 * normal(random);
  const noise = 0.255 * factor(random, 0.2);
  const scale = 86_400 * 0.025;
  /** A presentation with its explanation is longer than the paper's trials, and a right answer counts more than a wrong one. */
  const [weight, retrieval] = [2 * factor(random, 0.2), 1.5];
  const ease = Array.from({ length: questions }, () => 0.4 * normal(random));
  return () => {
    const traces: { day: number; decay: number; weight: number }[][] = Array.from({ length: questions }, () => []);
    const activation = (question: number, day: number): number => {
      let sum = 0;
      for (const trace of traces[question] as (typeof traces)[0])
        sum += trace.weight * (Math.max(day - trace.day, 0.01) * scale) ** -trace.decay;
      return sum === 0 ? Number.NEGATIVE_INFINITY : (ease[question] as number) + Math.log(sum);
    };
    const add = (question: number, day: number, gain: number): void => {
      const decay = c * Math.exp(activation(question, day)) + a;
      traces[question]?.push({ day, decay, weight: weight * gain });
    };
    return {
      recall: (question, day) => 1 / (1 + Math.exp((threshold - activation(question, day)) / noise)),
      practise: (question, day, knew) => add(question, day, knew ? retrieval : 1),
      read: (question, day) => add(question, day, 0.5),
    };
  };
};

/**
 * Half-life regression, Settles and Meeder (2016), 'A Trainable Spaced Repetition Model for Language Learning': recall = 2^(-t / h),
 * h = 2^(θ·x) with a bias and the square roots of one more than the right and wrong answers as features, h from 15 minutes to 274 days.
 */
const halfLifeLearners: Family = (random, questions) => {
  const [right, wrong] = [2 * factor(random, 0.2), -0.2 * factor(random, 0.3)];
  const bias = Math.log2(1.5 * factor(random, 0.5));
  const ease = Array.from({ length: questions }, () => Math.log2(factor(random, 0.5)));
  return () => {
    const seen: { right: number; wrong: number; day: number }[] = [];
    const add = (question: number, day: number, gained: number, missed: number): void => {
      const before = seen[question] ?? { right: 0, wrong: 0 };
      seen[question] = { right: before.right + gained, wrong: before.wrong + missed, day };
    };
    return {
      recall: (question, day) => {
        const state = seen[question];
        if (!state) return 0;
        const features = right * (Math.sqrt(1 + state.right) - 1) + wrong * (Math.sqrt(1 + state.wrong) - 1);
        const halfLife = clamp(2 ** (bias + (ease[question] as number) + features), 15 / 1440, 274);
        return 2 ** (-(day - state.day) / halfLife);
      },
      practise: (question, day, knew) => add(question, day, knew ? 1 : 0, knew ? 0 : 1),
      read: (question, day) => add(question, day, seen[question] ? 0.33 : 0, 0),
    };
  };
};
/**
 * The memory chain model, Chessa and Murre (2007), 'A neurocognitive model of advertisement content and brand name recall': each presentation
 * adds intensity to a fast store, from which it passes to a slow one; recall = 1 - e^(-intensity).
 */
const chainLearners: Family = (random, questions) => {
  const [fast, slow] = [Math.LN2 / factor(random, 0.4), Math.LN2 / (45 * factor(random, 0.5))];
  const passed = 0.25 * factor(random, 0.3);
  const own = 1.6 * factor(random, 0.3);
  const ease = Array.from({ length: questions }, () => factor(random, 0.5));
  return () => {
    const shown: { day: number; share: number }[][] = Array.from({ length: questions }, () => []);
    const add = (question: number, day: number, share: number): void => void shown[question]?.push({ day, share });
    return {
      recall: (question, day) => {
        const intensity = (shown[question] as (typeof shown)[0]).reduce((sum, { day: from, share }) => {
          const [first, second] = [Math.exp(-fast * (day - from)), Math.exp(-slow * (day - from))];
          return sum + share * (first + ((passed * fast) / (fast - slow)) * (second - first));
        }, 0);
        return 1 - Math.exp(-own * (ease[question] as number) * intensity);
      },
      practise: (question, day) => add(question, day, 1),
      read: (question, day) => add(question, day, 0.5),
    };
  };
};

/** Families of learners by their names in the report. */
export const families: Readonly<Record<string, Family>> = {
  FSRS: fsrsLearners,
  'ACT-R': actrLearners,
  'half-life': halfLifeLearners,
  'memory chain': chainLearners,
};
