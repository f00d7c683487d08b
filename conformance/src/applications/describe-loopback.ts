// Loaded by `node --import` before the server of an application that LoopBack starts. Writes what the started application
// offers to the file that CONFORMANCE_DESCRIPTION names; see description.ts for its form. It changes nothing.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Argument, Description, ModelDescription, Operation, RelationDescription } from './description.ts'

/* oxlint-disable typescript/no-explicit-any -- LoopBack's own objects have no types. */
type Loose = any

const verbs: Readonly<Record<string, string>> = { all: 'post', del: 'delete' }

function typeName(type: Loose): { readonly type: string; readonly isList: boolean } {
  if (Array.isArray(type)) return { type: typeName(type[0]).type, isList: true }
  const name: unknown = typeof type === 'function' ? (type.modelName ?? type.name) : type
  return { type: typeof name === 'string' ? name : 'object', isList: false }
}

function sourceOf(accepts: Loose, verb: string, path: string): string {
  const { http, arg } = accepts
  if (typeof http === 'function') return 'computed'
  const source: unknown = http?.source
  if (source === 'req' || source === 'res' || source === 'context') return 'computed'
  if (typeof source === 'string') return source
  if (path.split('/').includes(`:${arg}`)) return 'path'
  return ['get', 'head', 'delete'].includes(verb) ? 'query' : 'form'
}

function describeArgument(accepts: Loose, verb: string, path: string): Argument {
  const optionsOfServer = accepts.http === 'optionsFromRequest' || accepts.injectCtx === true
  return {
    name: accepts.arg,
    ...typeName(accepts.type),
    required: accepts.required === true,
    source: optionsOfServer ? 'computed' : sourceOf(accepts, verb, path)
  }
}

/** What the constructor of a model accepts, such as the id of a record, is in the path alone. */
function ofConstructor(path: string, args: readonly Argument[]): readonly Argument[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names
    .filter((name) => !args.some((one) => one.name === name))
    .map((name) => ({ name, type: 'any', isList: false, required: true, source: 'path' }))
}

function describeOperations(app: Loose): readonly Operation[] {
  const routes: Loose[] = app.handler('rest').adapter.allRoutes()
  return routes
    .filter(({ documented }) => documented !== false)
    .map((route) => {
      const verb = verbs[route.verb] ?? route.verb
      const { path, method } = route
      const args: Argument[] = (route.accepts ?? []).map((one: Loose) => describeArgument(one, verb, path))
      return { verb, path, method, args: [...ofConstructor(path, args), ...args] }
    })
}

function describeRelation(relation: Loose): RelationDescription {
  const { type, keyFrom, keyTo, modelTo, modelThrough, embed, polymorphic } = relation
  return {
    kind: type,
    keyFrom,
    keyTo,
    target: modelTo?.modelName ?? '',
    embedded: embed === true,
    polymorphic: polymorphic !== undefined,
    through: modelThrough !== undefined && modelThrough !== null
  }
}

function describeProperty(property: Loose): ModelDescription['properties'][string] {
  const { required, id, generated, default: value, defaultFn, length, enum: values } = property
  return {
    ...typeName(property.type),
    required: required === true || required === 'true',
    id: Boolean(id),
    generated: Boolean(generated),
    hasDefault: value !== undefined || defaultFn !== undefined,
    ...(typeof length === 'number' && { length }),
    ...(Array.isArray(values) && { values })
  }
}

function describeModel(model: Loose): ModelDescription {
  const { properties = {} } = model.definition
  const connector: unknown = model.dataSource?.settings?.connector
  const validations: Loose[] = Object.entries<Loose>(model.validations ?? {}).flatMap(([property, list]) =>
    (Array.isArray(list) ? list : []).map((one: Loose) => ({
      property,
      kind: String(one.validation),
      ...(Array.isArray(one.options?.in) && { values: one.options.in }),
      ...(typeof one.options?.min === 'number' && { min: one.options.min }),
      ...(typeof one.options?.max === 'number' && { max: one.options.max })
    }))
  )
  return {
    isUser: typeof model.login === 'function' && typeof model.logout === 'function',
    isStorage: typeof connector === 'string' && connector.includes('storage'),
    idName: model.definition.idName?.(),
    properties: Object.fromEntries(
      Object.entries<Loose>(properties).map(([name, one]) => [name, describeProperty(one)])
    ),
    relations: Object.fromEntries(
      Object.entries<Loose>(model.relations ?? {}).map(([name, one]) => [name, describeRelation(one)])
    ),
    validations
  }
}

function describe(app: Loose): Description {
  const models: Loose[] = app.models()
  return {
    version: String(app.loopback?.version),
    root: app.get('restApiRoot') ?? '/api',
    operations: describeOperations(app),
    models: Object.fromEntries(models.map((model) => [model.modelName, describeModel(model)]))
  }
}

const file = process.env['CONFORMANCE_DESCRIPTION'] ?? ''
let written = ''
/** The application that the main module exports, or the one whose models a loaded LoopBack knows. */
function findApp(): Loose {
  const main: Loose = process.mainModule?.exports
  if (typeof main?.remotes === 'function') return main
  const modules: Loose[] = Object.values<Loose>(createRequire(import.meta.url).cache)
  const loopback: Loose = modules.find(({ id }) => /[\\/]loopback[\\/]index\.js$/.test(id))?.exports
  const models: Loose[] = Object.values<Loose>(loopback?.registry?.modelBuilder?.models ?? {})
  return models.find(({ app }) => typeof app?.remotes === 'function')?.app
}

const interval = setInterval(() => {
  const app: Loose = findApp()
  if (typeof app?.remotes !== 'function' || app.booting === true) return
  const text = JSON.stringify(describe(app))
  if (text === written) return
  written = text
  writeFileSync(file, text)
}, 500)
interval.unref()
