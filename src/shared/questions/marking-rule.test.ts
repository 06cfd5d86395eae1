import t from 'tap';
import { ordinaryRule, parseRule, ruleFault, sayRule, writeRule } from './marking-rule.ts';

t.test('typed rules, and what each of their faults is called', async (t) => {
  const rules: [typed: string, rule: object][] = [
    ['1 ; -0,25 ; 0', { juste: 1, faux: -0.25, sans: 0 }],
    ['3;−1.5;-0,5', { juste: 3, faux: -1.5, sans: -0.5 }],
    ['+1 ; 0 ; 0', ordinaryRule],
    ['', ordinaryRule],
  ];
  for (const [typed, rule] of rules) t.same([parseRule(typed), ruleFault(typed)], [rule, null], typed);
  const three = 'Le barème a trois nombres, avec deux décimales au plus : juste, faux, sans réponse';
  const faults: [typed: string, fault: string][] = [
    ['1', three],
    ['1 ; -0,255 ; 0', three],
    ['un ; zéro ; zéro', three],
    ['1 ;  ; 0', three],
    ['1 ; 0 ; 0 ; 0', three],
    ['0 ; 0 ; 0', 'Une réponse juste vaut plus de 0 et au plus 100 points'],
    ['101 ; 0 ; 0', 'Une réponse juste vaut plus de 0 et au plus 100 points'],
    ['1 ; 0,5 ; 0', 'Une réponse fausse vaut de −100 à 0 point'],
    ['1 ; 0 ; 1', "Une question sans réponse vaut moins qu'une réponse juste"],
  ];
  for (const [typed, fault] of faults) t.equal(ruleFault(typed), fault, typed);
});

t.test('a rule in words, and as it is typed', async (t) => {
  const rule = { juste: 1, faux: -0.25, sans: 0 };
  t.equal(sayRule(rule), 'Juste : +1 · Faux : −0,25 · Sans réponse : 0');
  t.same(parseRule(writeRule(rule)), rule);
});
