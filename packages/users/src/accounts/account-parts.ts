import type { ModelRegistry, Model } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import type { MailMessage, ResetRequest, UsersSettings } from '../options.ts'
import type { Passwords } from '../passwords/passwords.ts'

const isMethod = (value: unknown): value is Method => typeof value === 'function'

/** How tokens refer to the users of a model. */
interface TokenOwnership {
  readonly model: ModelType
  /** The property that contains the id of the user. */
  readonly foreignKey: string
  /** The property that contains the name of the user model, if there are several. */
  readonly discriminator: string | undefined
}

/** A method of a class or of its records. */
export type Method = (this: unknown, ...args: unknown[]) => unknown

/** Wraps functions for calls by the application: `boot` lets them take a callback. */
export type WrapMethod = (method: (this: unknown, ...args: unknown[]) => Promise<unknown>) => Method

/** Where an application is reachable, as far as known, and the sender of its messages. */
export interface Home {
  readonly protocol?: string
  readonly host?: unknown
  readonly port?: unknown
  /** A path such as `/api`. */
  readonly apiRoot: string
  /** The default sender of messages; the mailer's own when absent. */
  readonly from?: string | undefined
}

/** The shared dependencies of all account methods. */
export interface AccountParts {
  readonly registry: ModelRegistry
  readonly options: UsersSettings
  readonly passwords: Passwords
  /** Calls a method that the application may have replaced. */
  readonly call: (method: Method, self: unknown, args: readonly unknown[]) => Promise<unknown>
  /** Returns the function that sends a message; undefined if no mail is configured. `model` is the user model. */
  readonly mailer: (model: ModelType) => ((message: MailMessage) => Promise<unknown>) | undefined
  /** Emits a password reset request to the application. False if there is no listener. */
  readonly announceReset: (model: ModelType, request: ResetRequest) => boolean
  /** Where the API is, for links in messages. */
  readonly home: () => Home
  readonly warn: (message: string) => void
}

/** The tokens of a user model. @throws {UnknownModel} their model does not exist */
export function tokensOf(registry: ModelRegistry, userModel: ModelType, defaultName: string): TokenOwnership {
  const relation = registry.relations.of(userModel).get('accessTokens')
  return {
    model: relation?.to ?? registry.typeOf(defaultName),
    foreignKey: relation?.keyTo ?? 'userId',
    discriminator: relation?.discriminator?.property
  }
}

/** Calls a method of a record or class by its name, so that an application's replacement is used. */
export async function callOwn(
  { call }: Pick<AccountParts, 'call'>,
  owner: Model | typeof Model,
  name: string,
  args: readonly unknown[]
): Promise<unknown> {
  const method: unknown = Reflect.get(owner, name)
  return isMethod(method) ? call(method, owner, args) : undefined
}

/** Like `callOwn`, for a method that takes options if it declares a parameter for them. */
export async function callOwnWithOptions(
  parts: Pick<AccountParts, 'call'>,
  owner: Model | typeof Model,
  name: string,
  args: readonly [first: unknown, options: unknown]
): Promise<unknown> {
  const method: unknown = Reflect.get(owner, name)
  return isMethod(method) ? callWithOptions(parts, method, owner, args) : undefined
}

/**
 * Calls a function of the application that takes one argument, options if it declares a parameter for them, and a callback.
 * LB3: with two parameters, the callback is the second.
 */
export async function callWithOptions(
  { call }: Pick<AccountParts, 'call'>,
  method: Method,
  self: unknown,
  [first, options]: readonly [first: unknown, options: unknown]
): Promise<unknown> {
  return call(method, self, method.length === 2 ? [first] : [first, options])
}
