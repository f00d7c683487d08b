import type { OperationContext, Principal, ModelRegistry } from '@modelwire/core'
import { isOfModel } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

/** The models whose records are users. */
export interface UserModels {
  readonly registry: ModelRegistry
  /** The base model of all user models. */
  readonly root: string
}

/** The argument of a role resolver: the caller and the call. */
export interface RoleContext {
  readonly principal: Principal | undefined
  readonly model: ModelType
  /** Id of the record that the call addresses; undefined for calls that address none. */
  readonly modelId: unknown
  /** That record, if it is loaded. */
  readonly record: Readonly<Record<string, unknown>> | undefined
  /** Without `prototype.`. */
  readonly method: string
  readonly accessType: string
  /** The token of the call, if there is one. */
  readonly accessToken: unknown
  /** The call itself; undefined for a check without a call. */
  readonly call: OperationContext | undefined
}

/** Whether the caller has a role. */
export type RoleResolver = (context: RoleContext, role: string) => boolean | Promise<boolean>

/** True for the user model and those that extend it. */
export function isUserModel(model: ModelType, { root }: Pick<UserModels, 'root'>): boolean {
  return isOfModel(model, root)
}
