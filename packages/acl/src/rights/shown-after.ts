import { type AccessControl, andThen, type ModelType, repository } from '@modelwire/core/plugin'
import type { Rule } from '../rules/rule.ts'
import type { Standing } from '../rules/standings.ts'
import type { AccessParts } from './access-parts.ts'
import type { RestrictionOf } from './restriction-of.ts'
import type { AskRules } from './verdicts.ts'

/** What answers to writes are decided by. */
export interface ShownAfterParts {
  readonly parts: AccessParts
  readonly ask: AskRules
  readonly restrictionOf: RestrictionOf
  readonly standingOf: (model: ModelType, method: string) => Standing
}

/** What the answer shows to a caller that may not read the record: its id, and the caller's own values. */
function echoOf({ idProperty }: ModelType, sent: readonly string[]): ReadonlySet<string> {
  return new Set(idProperty === undefined ? sent : [idProperty.name, ...sent])
}

const keepsProperties = (rule: Rule): boolean => rule.fields?.read !== undefined

/**
 * Makes the function that determines what the answer to a write shows: what its caller would see by reading the record
 * now.
 */
export function makeShownAfter({
  parts,
  ask,
  restrictionOf,
  standingOf
}: ShownAfterParts): AccessControl['shownAfter'] {
  const { showWritten, stored } = parts
  return ({ client, model }, row, sent) => {
    const standing = standingOf(model, 'findById')
    const { call } = standing
    if (standing.isOpen && !stored.canHold()) return undefined
    return andThen(standing.now(), (decision) => {
      if (showWritten && !decision.rules.some(({ rule }) => keepsProperties(rule))) return undefined
      const target = { id: repository.idOf(model, row), record: row }
      return andThen(ask(decision, { client, model, call, target }), async ({ allowed, rule }) => {
        if (!allowed) return echoOf(model, sent)
        const restriction = await restrictionOf({ rule, model, client, method: call.method, purpose: 'include' })
        const isShown = restriction === undefined || (await restriction.matches(row))
        return isShown ? restriction?.readable : echoOf(model, sent)
      })
    })
  }
}
