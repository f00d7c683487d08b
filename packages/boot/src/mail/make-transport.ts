import { createRequire } from 'node:module'
import { resolveFrom } from '@modelwire/loopback-express'
import type { AppFolder } from '../app-folder.ts'
import { isFunction } from '../callback-bridge.ts'
import { UnknownMailTransport } from '../errors.ts'
import type { NodemailerModule, Transporter } from './load-nodemailer.ts'
import type { MailLog } from './mail-log.ts'
import type { SettingsPlace, TransportSettings } from './mail-settings.ts'
import { stubTransport } from './stub-transport.ts'

/** The context of making a transport. */
export interface TransportParts {
  readonly nodemailer: NodemailerModule
  readonly folder: AppFolder
  readonly log: MailLog
  readonly place: SettingsPlace
}

type Make = (parts: TransportParts, settings: TransportSettings) => Transporter

const makers: Readonly<Record<string, Make>> = {
  smtp: ({ nodemailer }, settings) => nodemailer.createTransport(settings),
  stub: ({ nodemailer, log }) => nodemailer.createTransport(stubTransport(log)),
  sendmail: ({ nodemailer }, settings) => nodemailer.createTransport({ sendmail: true, ...settings })
}

/**
 * Makes a transport of the kind that its settings name, a stub when they name none. What is not known here is the package
 * `nodemailer-TYPE-transport` of the application.
 * @throws {UnknownMailTransport} there is no such package
 * @see LoopBack 3: loopback, lib/connectors/mail.js, setupTransport
 */
export function makeTransport(parts: TransportParts, settings: TransportSettings): Transporter {
  const type = (settings.type ?? 'stub').toLowerCase()
  const make = Object.hasOwn(makers, type) ? makers[type] : undefined
  return make === undefined ? fromPackage(parts, type, settings) : make(parts, settings)
}

function fromPackage({ nodemailer, folder, place }: TransportParts, type: string, settings: object): Transporter {
  const name = `nodemailer-${type}-transport`
  const factory = requireFrom([folder.serverDir, folder.root], name)
  if (isFunction(factory)) return nodemailer.createTransport(factory(settings) as object) // the package makes transports
  throw new UnknownMailTransport(`mail is sent by smtp, sendmail or stub; for "${type}" install ${name}`, {
    file: place.file,
    key: `${place.key}.type`
  })
}

/** What a package of the application exports; undefined when it is not installed, or named like a path. */
function requireFrom(folders: readonly string[], name: string): unknown {
  const path = /^[\w.-]+$/.test(name) ? resolveFrom(folders, name) : undefined
  return path === undefined ? undefined : createRequire(path)(path)
}
