import type { OperationContext, Principal } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'

/** The argument of a role resolver: the caller and the call. */
export interface RoleContext {
  readonly principal: Principal | undefined
  readonly model: ModelType
  /** Id of the record that the call is about; undefined for calls about none. */
  readonly modelId: unknown
  /** That record, where it is loaded. */
  readonly record: Readonly<Record<string, unknown>> | undefined
  /** Without `prototype.`. */
  readonly method: string
  readonly accessType: string
  /** The token behind the call, where it came with one. */
  readonly accessToken: unknown
  /** The call itself; undefined for a question without a call. */
  readonly call: OperationContext | undefined
}

/** Whether the caller has a role. */
export type RoleResolver = (context: RoleContext, role: string) => boolean | Promise<boolean>
