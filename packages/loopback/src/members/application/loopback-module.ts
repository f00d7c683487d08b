import { createRouter, type MountList } from '../../express/script-router.ts'
import { type HandlerKind, markedHandler } from '../../express/marked-handler.ts'
import { loadExpress } from '../../express/express-module.ts'
import { ScriptArgumentInvalid, ViewEngineMissing } from '../../errors.ts'
import { dataSourceClass, type DataSourceParts } from '../data-source/create-script-data-source.ts'
import { installMembers, memberError, memberOf, type MemberRow, refusedClass, rowsFor } from '../../script-members.ts'
import { absentModels } from '../definition/built-in-models.ts'
import { connectorTokens } from '../data-source/connector-tokens.ts'
import { markRemote } from '../remoting/shared-method.ts'
import { ScriptGeoPoint } from './script-geo-point.ts'
import { builtInModel, builtInNames, type ScriptRegistry } from './script-registry.ts'
import { ScriptValidationError } from './validation-error.ts'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

/** `loopback.DateString`: a date that keeps the text it was made from. */
class DateStringValue {
  readonly when: string

  constructor(value: unknown) {
    const text =
      value instanceof Date ? value.toISOString() : String(value instanceof DateStringValue ? value.when : value)
    if (Number.isNaN(Date.parse(text))) throw new ScriptArgumentInvalid(`DateString: "${text}" is not a valid date`)
    this.when = text
  }

  toString(): string {
    return this.when
  }

  toJSON(): string {
    return JSON.stringify({ when: this.when })
  }

  inspect(): string {
    return `DateString ${JSON.stringify({ when: this.when })}`
  }
}

/** The class as scripts call it, with or without `new`. Definitions use it as a type, by its name. */
const DateString: unknown = new Proxy(DateStringValue, {
  apply: (target, _self, [value]: unknown[]) => new target(value),
  get: (target, key, receiver): unknown => (key === 'name' ? 'DateString' : Reflect.get(target, key, receiver))
})

/** `app.loopback`: what scripts use of the module `loopback`. */
export type LoopbackModule = ScriptRegistry & Readonly<Record<string, unknown>>

/** The dependencies of the module. */
export interface LoopbackParts extends DataSourceParts {
  readonly mounts: MountList
  /** `app.registry`. */
  readonly scriptRegistry: ScriptRegistry
  /** `loopback.getCurrentContext`, if there is one. */
  readonly currentContext: (() => unknown) | undefined
}

const handlerKinds: readonly HandlerKind[] = [
  'rest',
  'status',
  'token',
  'context',
  'favicon',
  'urlNotFound',
  'errorHandler'
]

/** Members that are those of the module `express`. */
const ofExpress = [
  'application',
  'request',
  'response',
  'Route',
  'query',
  'raw',
  'text',
  'json',
  'urlencoded',
  'static'
] as const

const contextAdvice = "pass per-call data in the call's options, with Model.createOptionsFromRemotingContext"

/** The version of LoopBack whose behaviour the application gets. */
const releases: Readonly<Record<2 | 3, string>> = { 2: '2.42.0', 3: '3.28.0' }

function contextRows({ currentContext }: LoopbackParts): readonly MemberRow<unknown>[] {
  const name = 'getCurrentContext'
  return [
    currentContext === undefined ? [name, 'refused', contextAdvice] : [name, 'value', currentContext],
    ['runInContext', 'refused', contextAdvice],
    ['createContext', 'refused', contextAdvice]
  ]
}

/** Members that are looked up when they are read: models may be defined later, and Express is loaded when it is used. */
function lateRows({ registry, scriptRegistry }: LoopbackParts): readonly MemberRow<unknown>[] {
  return [
    ['Model', 'getter', () => scriptRegistry.Model],
    ['PersistedModel', 'getter', () => scriptRegistry.PersistedModel],
    ...rowsFor<unknown>(builtInNames, (name) => [name, 'getter', () => builtInModel(registry(), name)]),
    ...rowsFor<unknown>(ofExpress, (name) => [name, 'getter', () => memberOf(loadExpress(), name)])
  ]
}

/**
 * Creates `app.loopback`.
 * @see LoopBack 3: loopback, lib/loopback.js
 */
export function createLoopbackModule(parts: LoopbackParts): LoopbackModule {
  const { mounts, scriptRegistry, registry } = parts
  const handlers = rowsFor<unknown, HandlerKind>(handlerKinds, (kind) => [
    kind,
    'method',
    (_self, params) => markedHandler(kind, params)
  ])
  const absent = Array.from(absentModels, ([name, advice]) => [name, refusedClass(`loopback.${name}`, advice)] as const)
  const { version } = registry()
  const own = {
    ...scriptRegistry,
    ...Object.fromEntries(absent),
    ...connectorTokens,
    version: releases[version],
    registry: scriptRegistry,
    DataSource: dataSourceClass(parts),
    GeoPoint: ScriptGeoPoint,
    DateString,
    ValidationError: ScriptValidationError,
    Router: () => createRouter(mounts),
    remoteMethod: markRemote,
    template: compileTemplate,
    isServer: true,
    isBrowser: false
  }
  const rows = [...handlers, ...contextRows(parts), ...lateRows(parts)]
  const module = installMembers(own, rows, { owner: 'loopback', isListed: true })
  return installMembers(module, [['faviconFile', 'getter', refuseIcon]])
}

function refuseIcon(): never {
  throw memberError('loopback.faviconFile', 'name a file of the application: loopback.favicon("favicon.ico")')
}

/** The package ejs that is installed for the folder of a file. @throws {ViewEngineMissing} there is none */
function findEngine(path: string): ScriptFunction {
  try {
    const compile: unknown = Reflect.get(Object(createRequire(path)('ejs')), 'compile')
    if (isFunction(compile)) return compile
  } catch (cause) {
    throw new ViewEngineMissing('loopback.template requires the package ejs in the application: npm install ejs', {
      cause
    })
  }
  throw new ViewEngineMissing("the application's package ejs does not export a function compile")
}

/**
 * `loopback.template(file)`: a function that renders a file of ejs with values.
 * @throws {ViewEngineMissing} the package ejs is not installed beside the application
 */
function compileTemplate(file: string): unknown {
  const path = resolve(file)
  return findEngine(path)(readFileSync(path, 'utf8'), { filename: path })
}
