import { InvalidAccessRule, problemText } from '@modelwire/acl'
import type { ModelRegistry } from '@modelwire/core'
import type { Application } from '../read-application.ts'
import { ruleProblems } from './rule-problems.ts'

/**
 * Tells the report of access rules that LoopBack reads without a word, and that say something else than their words.
 * @param roles those that scripts registered
 * @throws {InvalidAccessRule} a rule says of records or properties what cannot be obeyed, which LoopBack knows nothing of
 */
export function noteRules(registry: ModelRegistry, application: Application, roles: readonly string[]): void {
  for (const problem of ruleProblems(registry, application, { roles })) {
    const { kind, file, path, model, advice } = problem
    if (kind === 'refused') throw new InvalidAccessRule(problemText(problem), { file, model: model.name, key: path })
    if (kind === 'ignored') application.add('ignored', { file, key: path }, problemText(problem), { advice })
  }
}
