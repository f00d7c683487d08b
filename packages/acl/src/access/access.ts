import type { Principal } from '@modelwire/core'
import type { AccessAnswer, AccessQuestion, NamedPrincipal } from './access-question.ts'
import type { ReportLine } from '../report/report.ts'
import type { RoleContext, RoleResolver } from '../roles/role-context.ts'

/** The API of `app.access`. */
export interface Access {
  /**
   * Registers a function that decides who is in a role; it replaces one with the same name, and takes precedence over a
   * stored role. Call it before the server is ready: startup fails if a rule names a role that is neither registered nor
   * stored, nor listed in the option `roles`.
   */
  readonly registerRole: (role: string, resolver: RoleResolver) => void
  /** Whether a caller is in a role. */
  readonly isInRole: (role: string, context: RoleContext) => boolean | Promise<boolean>
  /** Whether a caller owns a record of the model with this name. @throws {UnknownModel} there is no such model */
  readonly isOwner: (principal: Principal, model: string, id: unknown) => Promise<boolean>
  /**
   * Whether a caller may call an operation such as `Product.find` or `Product.prototype.patchAttributes`.
   * @throws {UnknownOperation} no such operation is mounted
   */
  readonly can: (principal: Principal | undefined, operation: string, id?: unknown) => Promise<boolean>
  /** The roles that functions resolve, the built-in ones first. */
  readonly resolvedRoles: () => readonly string[]
  /** Whether the rules allow a call of any method, mounted or not. @throws {UnknownModel} there is no such model */
  readonly ask: (question: AccessQuestion) => Promise<AccessAnswer>
  /**
   * Whether the rules allow a call, counting all rules of files but only the stored rules of one principal.
   * @throws {UnknownModel} there is no such model
   * @see LoopBack 3: loopback, common/models/acl.js, checkPermission
   */
  readonly askFor: (who: NamedPrincipal, question: AccessQuestion) => Promise<AccessAnswer>
  /** Who may call what: one line per mounted operation. */
  readonly report: () => readonly ReportLine[]
}
