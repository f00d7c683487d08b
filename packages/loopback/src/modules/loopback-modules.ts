import type { ModelDefinition } from '@modelwire/core'
import { AccessContext, Principal } from '../access/access-context.ts'
import { ModuleNotProvided } from '../errors.ts'
import { refusedClass } from '../script-members.ts'
import { createPromiseCallback } from '../callback-bridge.ts'
import { type CurrentApp, refusingModule } from './refusing-module.ts'
import { format } from 'node:util'
import { isPlainObject } from '@modelwire/server'

const placeholder = /\{(\w+)\}/

const english = 'messages are only in English: use the message itself'

type Write = (message: string, ...values: readonly unknown[]) => void

const writer =
  (write: (text: string) => void): Write =>
  (message, ...values) =>
    write(formatMessage(message, ...values))

type LoadModule = () => unknown

/** The files of LoopBack's own models. */
const modelFiles: Readonly<Record<string, string>> = {
  acl: 'ACL',
  'access-token': 'AccessToken',
  application: 'Application',
  email: 'Email',
  role: 'Role',
  'role-mapping': 'RoleMapping',
  scope: 'Scope',
  user: 'User'
}

/** A definition as its file would hold it. */
function definitionFile(facade: CurrentApp, name: string): unknown {
  const model: unknown = Reflect.get(facade.current().app.loopback, name)
  const definition = Reflect.get(Object(model), 'settings') as ModelDefinition // a built-in model has it
  return JSON.parse(JSON.stringify(definition))
}

/** `loopback/common/models/user`: a function that makes a model what the built-in one is. Models that extend it are that already. */
function modelScript(facade: CurrentApp, name: string): (model: unknown) => unknown {
  return (model) => {
    const builtIn: unknown = Reflect.get(facade.current().app.loopback, name)
    if (model === builtIn || Object.prototype.isPrototypeOf.call(Object(builtIn), Object(model))) return model
    throw new ModuleNotProvided(`the script of ${name} cannot be run on other models: extend it with "base": "${name}"`)
  }
}

/** LoopBack's own handlers by the names of their files. */
const handlerFiles: Readonly<Record<string, string>> = {
  context: 'context',
  'error-handler': 'errorHandler',
  favicon: 'favicon',
  rest: 'rest',
  static: 'static',
  status: 'status',
  token: 'token',
  'url-not-found': 'urlNotFound'
}

const utilsModule = (): object =>
  refusingModule(
    'loopback/lib/utils',
    { createPromiseCallback: () => createPromiseCallback },
    {
      uploadInChunks: 'use Array.prototype.slice and await each part',
      downloadInChunks: 'use skip and limit and await each part',
      concatResults: 'use Array.prototype.concat'
    }
  )

/** The inner modules of the package loopback that scripts may require, by name. */
export function loopbackModules(facade: CurrentApp): Readonly<Record<string, LoadModule>> {
  const member =
    (name: string): LoadModule =>
    () =>
      facade.current().app.loopback[name]
  const files = Object.entries(modelFiles).map(([file, name]) => {
    return [`loopback/common/models/${file}.json`, () => definitionFile(facade, name)] as const
  })
  const scripts = Object.entries(modelFiles).map(([file, name]) => {
    return [`loopback/common/models/${file}`, () => modelScript(facade, name)] as const
  })
  const handlers = Object.entries(handlerFiles).map(([file, name]) => {
    return [`loopback/server/middleware/${file}`, member(name)] as const
  })
  return {
    'loopback/lib/model': member('Model'),
    'loopback/lib/persisted-model': member('PersistedModel'),
    'loopback/lib/globalize': () => globalize(),
    'loopback/lib/runtime': () => ({ isServer: true, isBrowser: false }),
    'loopback/lib/registry': () => refusedClass('loopback/lib/registry', 'use app.registry'),
    'loopback/lib/utils': utilsModule,
    'loopback/lib/access-context': () =>
      refusingModule('loopback/lib/access-context', {
        AccessContext: () => AccessContext,
        Principal: () => Principal,
        DEFAULT_SCOPES: () => ['DEFAULT']
      }),
    'loopback/package.json': () => ({ name: 'loopback', version: member('version')() }),
    'loopback-boot/package.json': () => ({ name: 'loopback-boot', version: '3.3.1' }),
    'strong-remoting/package.json': () => ({ name: 'strong-remoting', version: '3.17.0' }),
    'strong-remoting': () => remotingModule(),
    ...Object.fromEntries([...files, ...scripts, ...handlers])
  }
}

const shared = 'declare the methods of a model by Model.remoteMethod, and read them in Model.sharedClass'

/** `strong-remoting`: whatever it makes is a part of the application here. */
function remotingModule(): object {
  return refusingModule(
    'strong-remoting',
    { version: () => '3.17.0' },
    {
      create: 'use app.remotes()',
      SharedClass: shared,
      SharedMethod: shared,
      RemoteObjects: 'use app.remotes()',
      extend: shared,
      convert: 'declare the argument as "object" or "any", and convert it in the method',
      defineType: 'declare the argument as "object" or "any", and convert it in the method',
      getCurrentContext: "pass per-call data in the call's options"
    }
  )
}

/**
 * A message in English. Two braces mark what is not translated; names in braces stand for values of an object, and the signs of
 * `util.format` for values.
 */
function formatMessage(message: string, ...values: readonly unknown[]): string {
  const [first] = values
  const text = message.replace(/\{\{|\}\}/g, '')
  if (values.length !== 1 || !isPlainObject(first) || !placeholder.test(text)) return format(text, ...values)
  return text.replaceAll(new RegExp(placeholder, 'g'), (whole, name: string) =>
    name in first ? String(first[name]) : whole
  )
}

/** `loopback/lib/globalize`: messages in English, whatever the language of the process. @see strong-globalize, index.js */
function globalize(): object {
  const out = writer((text) => void process.stdout.write(`${text}\n`))
  const error = writer((text) => void process.stderr.write(`${text}\n`))
  const names = ['f', 't', 'm', 'format', 'formatMessage']
  const members = {
    ...Object.fromEntries(names.map((name) => [name, () => formatMessage])),
    Error:
      () =>
      (...args: Parameters<typeof formatMessage>) =>
        new Error(formatMessage(...args)),
    log: () => out,
    info: () => out,
    warn: () => error,
    error: () => error
  }
  return refusingModule('loopback/lib/globalize', members, {
    setLanguage: english,
    getLanguage: english,
    formatCurrency: 'use Intl.NumberFormat',
    formatDate: 'use Intl.DateTimeFormat'
  })
}
