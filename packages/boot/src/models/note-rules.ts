import { InvalidAccessRule, problemText } from '@modelwire/acl'
import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import { decidesItself } from '../access/script-authorization.ts'
import type { Application } from '../read-application.ts'
import { freeKeysOf } from './free-keys.ts'
import { ruleProblems } from './rule-problems.ts'

/**
 * Reports access rules that LoopBack accepts silently and that mean something else than they seem to.
 * @param roles those that scripts registered
 * @throws {InvalidAccessRule} `rows` or `fields` of a rule cannot be applied; LoopBack has neither
 */
export function noteRules(registry: ModelRegistry, application: Application, roles: readonly string[]): void {
  for (const name of registry.names()) refuseOtherThanList(registry.typeOf(name), application)
  for (const problem of ruleProblems(registry, application, { roles })) {
    const { kind, file, path, model, advice } = problem
    if (kind === 'refused') throw new InvalidAccessRule(problemText(problem), { file, model: model.name, key: path })
    // An examination lists the other ones itself.
    if (application.folder.source === undefined && (kind === 'ignored' || kind === 'unasked'))
      application.add('ignored', { file, key: path }, problemText(problem), { advice })
  }
}

/** LB3: every call of such a model fails, unless a function of its own decides and reads what is written there. */
function refuseOtherThanList(model: ModelType, { modelFiles }: Application): void {
  const { name, definition } = model
  const acls = freeKeysOf(model).get('acls')
  if (!acls || definition.public !== true || decidesItself(model)) return
  const file = modelFiles.get(name)?.file
  throw new InvalidAccessRule('acls must be a list of rules', {
    ...(file === undefined ? {} : { file }),
    model: name,
    key: 'acls'
  })
}
