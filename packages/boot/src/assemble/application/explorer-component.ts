import { resolve } from 'node:path'
import type { ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import { markedHandler } from '@modelwire/loopback/express'
import type { Building } from './building.ts'
import type { ScriptApp } from '@modelwire/loopback/api'
import type { Application } from '../../read/read-application.ts'
import { isFile } from '../../read/files/app-folder.ts'
import { readJsonFile } from '../../read/files/read-json-file.ts'
import { ConfigValueInvalid } from '../../errors.ts'
import type { BootContext, Component } from '../../extension.ts'
import { withoutAbsent } from './rest-options.ts'

const name = 'loopback-component-explorer'
const place = (key: string) => ({ file: 'server/component-config.json', key: `${name}.${key}` })

/** The fields of the application's package.json. */
function packageInfo({ folder }: Application): Record<string, unknown> {
  const path = `${folder.root}/package.json`
  const value = isFile(path) ? readJsonFile(folder, path) : {}
  return isPlainObject(value) ? value : {}
}

/** The models of `model-config.json`, each after its base, as LoopBack attaches them. */
function modelOrder(registry: ModelRegistry, names: readonly string[]): string[] {
  const ordered = new Set<string>()
  const visit = (model: string): void => {
    const base = registry.find(model)?.base?.name
    if (base !== undefined && names.includes(base)) visit(base)
    ordered.add(model)
  }
  for (const model of names) visit(model)
  return [...ordered]
}

const objectIn = ({ settings }: BootContext, key: string): Record<string, unknown> => {
  const value = settings.get(key)
  return isPlainObject(value) ? value : {}
}

/** Keys of the component that mean something else here, or nothing. */
const notPassedOn = new Set(['enabled', 'packageInfo', 'modelOrder', 'extensions', 'onSwagger', 'oauth2', 'api'])

/**
 * The options of the explorer. Texts of versions may be numbers in the file.
 * @throws {ConfigValueInvalid} a folder of `uiDirs` is not a string
 */
function readOptions(context: BootContext, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { generateOperationScopedModels, generateRelationProperties, ...extensions } = objectIn(context, 'swagger')
  const own = Object.fromEntries(Object.entries(params).filter(([key]) => !notPassedOn.has(key)))
  const { version, uiDirs, mountPath } = own
  return withoutAbsent({
    generateOperationScopedModels,
    generateRelationProperties,
    apiInfo: objectIn(context, 'apiInfo'),
    ...own,
    mountPath,
    version: version === undefined ? undefined : String(version),
    uiDirs: uiDirs === undefined ? undefined : [uiDirs].flat().map((folder) => folderOf(context, folder)),
    extensions
  })
}

/** LoopBack's folders are relative to where the process was started; ours to the application. */
function folderOf({ folder }: BootContext, written: unknown): string {
  if (typeof written !== 'string') throw new ConfigValueInvalid('folders must be strings', place('uiDirs'))
  return resolve(folder.root, written)
}

const defaultPath = '/explorer'

/** LB3: Express takes a path without its first slash. */
const pathOf = (mountPath: unknown): string => `/${String(mountPath).replace(/^\/+/, '')}`

/**
 * Mounts LoopBack's explorer after everything mounted so far, as `component-config.json` does, and
 * `require('loopback-component-explorer')(app, options)` in a script.
 * @see LoopBack 3: loopback-component-explorer, index.js
 */
export function mountExplorer(app: ScriptApp, options: Readonly<Record<string, unknown>>): void {
  const params = { mountPath: defaultPath, ...options }
  // Scripts print where the page is.
  app.set(name, params)
  app.use(pathOf(params.mountPath), explorerRoutes(params))
}

/** Implements `routes(app, options)` of LoopBack's explorer: returns a handler to be mounted with `app.use`. */
export function explorerRoutes(options: Readonly<Record<string, unknown>>): object {
  return markedHandler('explorer', options)
}

/** LoopBack's explorer, from its options in `component-config.json`. */
export const explorerComponent: Component = ({ app }, params) => mountExplorer(app, params)

/** Registers the explorers that were mounted. The package is only loaded if an application has one. */
export async function registerExplorers({ application, context, mounts }: Building): Promise<void> {
  const mounted = mounts.mounts.filter(({ kind }) => kind === 'explorer')
  if (mounted.length === 0) return
  const { explorer } = await import('@modelwire/explorer')
  const { registry, server, app } = context
  for (const { path, params } of mounted) {
    if (registry.mounts.length === 0) {
      context.add('ignored', place('mountPath'), 'there is no REST API for the explorer to show')
      return
    }
    const input = isPlainObject(params) ? params : {}
    await server.register(explorer, {
      ...readOptions(context, { ...input, mountPath: path }),
      enabled: true,
      packageInfo: packageInfo(application),
      modelOrder: modelOrder(registry, [...application.modelConfig.entries.keys()]),
      onSwagger: (document: object) => void app.emit('swaggerResources', document)
    })
  }
}
