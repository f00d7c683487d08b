import { createRouter, type HandlerKind, loadExpress, markedHandler, type MountList } from '@modelwire/loopback-express'
import { type DataSourceParts, dataSourceClass } from '../data-source/create-script-data-source.ts'
import { memberError, refusedClass, refusedMember } from '../refuse-member.ts'
import { absentModels } from '../../models/built-in-models.ts'
import { connectorTokens } from './connector-tokens.ts'
import { DateString } from './date-string.ts'
import { markRemote } from '../remoting/marked-methods.ts'
import { ScriptGeoPoint } from './script-geo-point.ts'
import { builtInModel, builtInNames, type ScriptRegistry } from './script-registry.ts'
import { compileTemplate } from './template.ts'
import { ScriptValidationError } from './validation-error.ts'

/** `app.loopback`: what scripts use of the module `loopback`. */
export type LoopbackModule = ScriptRegistry & Readonly<Record<string, unknown>>

/** What the module is made of. */
export interface LoopbackParts extends DataSourceParts {
  readonly mounts: MountList
  /** `app.registry`. */
  readonly scriptRegistry: ScriptRegistry
  /** `loopback.getCurrentContext`, where there is one. */
  readonly currentContext: (() => unknown) | undefined
}

const handlerKinds: readonly HandlerKind[] = [
  'rest',
  'status',
  'token',
  'context',
  'favicon',
  'static',
  'urlNotFound',
  'errorHandler'
]

/** Members that are those of the module `express`. */
const ofExpress = ['application', 'request', 'response', 'Route', 'query', 'raw', 'text', 'json', 'urlencoded'] as const

const contextAdvice = 'pass what a call needs in its options, by Model.createOptionsFromRemotingContext'

/** The version of LoopBack whose behaviour the application gets. */
const releases: Readonly<Record<2 | 3, string>> = { 2: '2.42.0', 3: '3.28.0' }

function contextMembers({ currentContext }: LoopbackParts): Record<string, unknown> {
  const refused = ['getCurrentContext', 'runInContext', 'createContext'].map((name) => {
    return [name, refusedMember(`loopback.${name}`, contextAdvice)] as const
  })
  return {
    ...Object.fromEntries(refused),
    ...(currentContext === undefined ? {} : { getCurrentContext: currentContext })
  }
}

/** Members that are looked up when they are read: models may be defined later, and Express is loaded when it is used. */
function lateMembers({ registry, scriptRegistry }: LoopbackParts): PropertyDescriptorMap {
  const getters: Record<string, () => unknown> = {
    Model: () => scriptRegistry.Model,
    PersistedModel: () => scriptRegistry.PersistedModel,
    ...Object.fromEntries(builtInNames.map((name) => [name, () => builtInModel(registry(), name)])),
    ...Object.fromEntries(ofExpress.map((name) => [name, (): unknown => Reflect.get(loadExpress(), name)]))
  }
  return Object.fromEntries(
    Object.entries(getters).map(([name, get]) => [name, { get, enumerable: true, configurable: true }])
  )
}

/** Makes `app.loopback`. @see LoopBack 3: loopback, lib/loopback.js */
export function createLoopbackModule(parts: LoopbackParts): LoopbackModule {
  const { mounts, scriptRegistry, registry } = parts
  const handlers = handlerKinds.map((kind) => [kind, (params?: unknown) => markedHandler(kind, params)] as const)
  const absent = Array.from(absentModels, ([name, advice]) => [name, refusedClass(`loopback.${name}`, advice)] as const)
  const { version } = registry()
  const module = {
    ...scriptRegistry,
    ...Object.fromEntries([...handlers, ...absent]),
    ...connectorTokens,
    ...contextMembers(parts),
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
  Object.defineProperty(module, 'faviconFile', {
    configurable: true,
    get: () => {
      throw memberError('loopback.faviconFile', 'name a file of the application: loopback.favicon("favicon.ico")')
    }
  })
  return Object.defineProperties(module, lateMembers(parts))
}
