import type { OperationContext } from '@modelwire/core'
import type { Operation } from '@modelwire/core/plugin'
import type { Controlling, VerdictQuestion } from '../rights/verdicts.ts'
import type { Verdict } from '../rules/decide.ts'
import { allows, allowsOtherwise, callOf, rulesOf, settle } from '../rules/decision.ts'
import { orderRules } from '../rules/normal-rule.ts'
import type { WeighedRule } from '../rules/rule.ts'
import { perRules } from '../rules/stored-rules.ts'

type RoleNames = Readonly<Record<string, true>>

/** A check of a call in progress. */
interface CallQuestion extends VerdictQuestion {
  readonly context: OperationContext
}

/** Sets `options.authorizedRoles` of calls. */
export interface AuthorizedRoles {
  readonly set: (question: CallQuestion, verdict: Verdict) => Promise<void>
  /** Some rule in files or scripts allows the call for the owner of the record. */
  readonly looksAtRecord: boolean
}

/** One rule for each role that some rule allows the call to. */
function allowingRoles(rules: readonly WeighedRule[]): readonly WeighedRule[] {
  const allowing = rules.filter(({ rule }) => rule.principalType === 'ROLE' && allows(rule))
  return [...new Map(allowing.map((weighed) => [weighed.rule.principalId, weighed])).values()]
}

/** LB3: an argument named `options` gets them, whatever its source. */
function setRoles({ context }: CallQuestion, authorizedRoles: RoleNames): void {
  const argument = context.args['options']
  for (const options of [context.options, argument])
    if (typeof options === 'object' && options !== null) Object.assign(options, { authorizedRoles })
}

/**
 * Makes the function that lists the roles through which callers may call an operation; undefined if nothing reads them.
 * LB3: in addition to the rule that decides, all other rules of files about the method count, whatever their access type.
 * @see LoopBack 3: loopback, common/models/acl.js, checkAccessForContext
 */
export function makeAuthorizedRoles(operation: Operation, { parts, ask }: Controlling): AuthorizedRoles | undefined {
  const { model } = operation
  const { stored } = parts
  if (!model.registry.rules.namesAuthorizedRoles) return undefined
  const call = callOf(operation)
  const ofFiles = orderRules(rulesOf(model, call), { ...call, accessType: '*' })
  const rolesOfFiles = allowingRoles(ofFiles)
  const rolesWith = perRules((rules) =>
    rules.length === 0
      ? rolesOfFiles
      : allowingRoles([...ofFiles, ...orderRules(settle(rules, allowsOtherwise(model)), call)])
  )
  const setThose = async (roles: readonly WeighedRule[], question: CallQuestion): Promise<void> => {
    const names: [string, true][] = []
    for (const weighed of roles) {
      const { rule } = await ask({ rules: [weighed], otherwise: true }, question)
      if (rule?.principalId !== undefined) names.push([rule.principalId, true])
    }
    setRoles(question, Object.fromEntries(names))
  }
  return {
    set: async (question, { allowed }) => {
      const roles = allowed ? rolesWith(stored.canHold() ? await stored.read() : []) : []
      if (roles.length === 0) setRoles(question, {})
      else await setThose(roles, question)
    },
    looksAtRecord: rolesOfFiles.some(({ rule }) => rule.principalId === '$owner')
  }
}
