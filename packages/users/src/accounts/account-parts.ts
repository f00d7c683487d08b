import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import type { MailMessage, UsersSettings } from '../options.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { ResetRequest } from './reset-request.ts'

/** A method of a class or of its records. */
export type Method = (this: unknown, ...args: unknown[]) => unknown

/** Where an application is reachable, as far as it is known, and who its messages are from. */
export interface Home {
  readonly protocol?: string
  readonly host?: unknown
  readonly port?: unknown
  /** A path such as `/api`. */
  readonly apiRoot: string
  /** The sender of messages that name none; the mailer's own when absent. */
  readonly from?: string | undefined
}

/** What all methods of accounts share. */
export interface AccountParts {
  readonly registry: ModelRegistry
  readonly options: UsersSettings
  readonly passwords: Passwords
  /** Calls a method that the application may have replaced by one of its own. */
  readonly call: (method: Method, self: unknown, args: readonly unknown[]) => Promise<unknown>
  /** Sends a message; undefined where no mail is configured. `model` is the user model. */
  readonly mailer: (model: ModelType) => ((message: MailMessage) => Promise<unknown>) | undefined
  /** Emits a password reset request to the application. False when there is no listener. */
  readonly announceReset: (model: ModelType, request: ResetRequest) => boolean
  /** Where the API is, for links in messages. */
  readonly home: () => Home
  readonly warn: (message: string) => void
}
