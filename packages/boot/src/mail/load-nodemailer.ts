import { createRequire } from 'node:module'
import type * as Nodemailer from 'nodemailer'

/** The module `nodemailer`. */
export type NodemailerModule = typeof Nodemailer

/** Sends messages in one way, as nodemailer makes it. */
export interface Transporter {
  /** The transport itself, which may have a way to check its settings. */
  readonly transporter: { readonly verify?: unknown }
  readonly sendMail: (message: object) => Promise<unknown>
  readonly verify: () => Promise<unknown>
  readonly close: () => void
}

/** The module `nodemailer`, loaded at the first call: most applications send no mail. */
export function loadNodemailer(): NodemailerModule {
  return createRequire(import.meta.url)('nodemailer') as NodemailerModule // a dependency of this package
}
