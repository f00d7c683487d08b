import type { AccessParts } from './access-parts.ts'
import type { RestrictionOf } from './restriction-of.ts'
import type { AskRules } from './verdicts.ts'

/** What access control is made of. */
export interface Controlling {
  readonly parts: AccessParts
  readonly ask: AskRules
  readonly restrictionOf: RestrictionOf
}
