import { isPlainObject } from '@modelwire/server'
import { replicationAdvice } from '../members/definition/built-in-models.ts'
import { isolationLevels } from '../members/data-source/script-transaction.ts'
import { type CurrentApp, type ModuleMembers, refusingModule } from './refusing-module.ts'
import { createPromiseCallback } from '../callback-bridge.ts'

type LoadModule = () => unknown

const release = '3.36.1'

const member =
  (facade: CurrentApp, name: string): LoadModule =>
  () =>
    facade.current().app.loopback[name]

/** `new ModelBuilder()`: an application has one, so that its models are known to each other. */
function modelBuilderClass(facade: CurrentApp): object {
  return function ModelBuilder(): object {
    return facade.current().app.registry.modelBuilder
  }
}

/** The class that LoopBack's `Model` extends. */
const rootClass = (facade: CurrentApp): unknown => Object.getPrototypeOf(facade.current().app.registry.Model)

function idName(model: unknown): unknown {
  const definition: unknown = Reflect.get(Object(model), 'definition')
  const read: unknown = Reflect.get(Object(definition), 'idName')
  return typeof read === 'function' ? read.call(definition) : undefined
}

/** `loopback-datasource-juggler/lib/utils`. */
const toolMembers: ModuleMembers = {
  createPromiseCallback: () => createPromiseCallback,
  isPlainObject: () => isPlainObject,
  idName: () => (model: unknown) => idName(model) ?? 'id',
  idEquals: () => (one: unknown, other: unknown) => one === other || String(one) === String(other),
  uniq: () => (list: unknown) =>
    Array.isArray(list) ? [...new Map(list.map((item: unknown) => [String(item), item])).values()] : [],
  escapeRegExp: () => (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * The modules of loopback-datasource-juggler that scripts may require, by name.
 * @see LoopBack 3: loopback-datasource-juggler, index.js
 */
export function jugglerModules(facade: CurrentApp): Readonly<Record<string, LoadModule>> {
  const name = 'loopback-datasource-juggler'
  const builder = modelBuilderClass(facade)
  const members: ModuleMembers = {
    DataSource: member(facade, 'DataSource'),
    Schema: member(facade, 'DataSource'),
    ModelBuilder: () => builder,
    LDL: () => builder,
    ModelBaseClass: () => rootClass(facade),
    GeoPoint: member(facade, 'GeoPoint'),
    DateString: member(facade, 'DateString'),
    ValidationError: member(facade, 'ValidationError'),
    Connector: member(facade, 'Connector'),
    Transaction: () => isolationLevels,
    version: () => release
  }
  const part = (...names: string[]): LoadModule => {
    const chosen = Object.fromEntries(names.map((one) => [one, members[one] ?? (() => undefined)]))
    return () => refusingModule(name, chosen)
  }
  return {
    [name]: () =>
      refusingModule(name, members, {
        KeyValueAccessObject: 'use a client of the store, such as ioredis',
        getCurrentContext: "pass per-call data in the call's options",
        test: 'test models through the application',
        Change: replicationAdvice
      }),
    [`${name}/package.json`]: () => ({ name, version: release }),
    [`${name}/lib/utils`]: () => refusingModule(`${name}/lib/utils`, toolMembers),
    [`${name}/lib/datasource`]: part('DataSource'),
    [`${name}/lib/model-builder`]: part('ModelBuilder'),
    [`${name}/lib/geo`]: part('GeoPoint'),
    [`${name}/lib/validations`]: part('ValidationError'),
    [`${name}/lib/date-string`]: member(facade, 'DateString'),
    [`${name}/lib/model`]: () => rootClass(facade)
  }
}
