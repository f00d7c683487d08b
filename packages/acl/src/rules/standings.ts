import { predefinedMethods, type Operation } from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { answerToAll, compileDecision, type Decision, withStored } from './decision.ts'
import type { Call } from './rule.ts'
import { perRules, type StoredRules } from './stored-rules.ts'

/** The rules for calls of one method of a model, compiled once. */
export interface Standing {
  readonly call: Call
  /** The rules of files and scripts. */
  readonly decision: Decision
  /** Open to everyone: nothing is evaluated unless a rule is stored. */
  readonly isOpen: boolean
  /** The method addresses one record. */
  readonly isOfRecord: boolean
  /** Returns the decision including the currently stored rules. */
  readonly now: () => Promise<Decision>
}

/** Keeps what stored rules make of a decision for as long as they are the same list. */
function decisionNow(decision: Decision, call: Call, stored: StoredRules): Standing['now'] {
  if (!stored.canHold()) return async () => decision
  const together = perRules((rules) => (rules.length === 0 ? decision : withStored(decision, rules, call)))
  return async () => together(await stored.read())
}

/** Makes a `Standing`. */
export function makeStanding(
  model: ModelType,
  call: Call,
  { stored, isOfRecord }: { readonly stored: StoredRules; readonly isOfRecord: boolean }
): Standing {
  const decision = compileDecision(model, call)
  const isOpen = answerToAll(decision) === true
  return { call, decision, isOpen, isOfRecord, now: decisionNow(decision, call, stored) }
}

const methods: ReadonlyMap<string, Pick<Operation, 'accessType' | 'aliases' | 'effect'>> = new Map(
  Object.entries(predefinedMethods).map(([name, method]) => [shortName(name), method])
)

/** Makes the function that compiles the rules for a predefined method of a model, and caches them. */
export function makeStandings(stored: StoredRules): (model: ModelType, method: string) => Standing {
  const standings = new Map<ModelType, Map<string, Standing>>()
  return (model, method) => {
    const ofModel = standings.get(model) ?? new Map<string, Standing>()
    standings.set(model, ofModel)
    const kept = ofModel.get(method)
    if (kept !== undefined) return kept
    const { accessType = 'EXECUTE', aliases = [], effect } = methods.get(method) ?? {}
    const call: Call = { model: model.name, method, aliases: aliases.map(shortName), accessType }
    const made = makeStanding(model, call, { stored, isOfRecord: effect?.idIn === 'path' })
    ofModel.set(method, made)
    return made
  }
}
