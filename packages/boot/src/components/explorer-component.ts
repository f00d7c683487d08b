import { resolve } from 'node:path'
import { isPlainObject, type ModelRegistry } from '@modelwire/core'
import type { Application } from '../read-application.ts'
import { isFile } from '../app-folder.ts'
import { readJsonFile } from '../config/read-json-file.ts'
import { ConfigValueInvalid } from '../errors.ts'
import type { BootContext, Component, ComponentSteps } from '../extension.ts'
import { withoutAbsent } from '../config/rest-options.ts'

const name = 'loopback-component-explorer'
const place = (key: string) => ({ file: 'server/component-config.json', key: `${name}.${key}` })

/** What the package.json of the application says of it. */
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
 * @throws {ConfigValueInvalid} a folder of `uiDirs` is no text
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
    // LB3: Express takes a path without its first slash.
    mountPath: mountPath === undefined ? undefined : `/${String(mountPath).replace(/^\/+/, '')}`,
    version: version === undefined ? undefined : String(version),
    uiDirs: uiDirs === undefined ? undefined : [uiDirs].flat().map((folder) => folderOf(context, folder)),
    extensions
  })
}

/** LoopBack's folders are relative to where the process was started; ours to the application. */
function folderOf({ folder }: BootContext, written: unknown): string {
  if (typeof written !== 'string') throw new ConfigValueInvalid('folders are texts', place('uiDirs'))
  return resolve(folder.root, written)
}

/**
 * LoopBack's explorer, from its options in `component-config.json`. The package is loaded when an application has it.
 * @see LoopBack 3: loopback-component-explorer, index.js
 */
export function explorerComponent(application: Application): Component {
  return (context, params): ComponentSteps => {
    // Scripts print where the page is.
    context.settings.set(name, { mountPath: '/explorer', ...params })
    return {
      afterRest: async () => {
        const { explorer } = await import('@modelwire/explorer')
        const { registry, server, app } = context
        if (registry.mounts.length === 0) {
          context.add('ignored', place('mountPath'), 'there is no REST API that the explorer could show')
          return
        }
        await server.register(explorer, {
          ...readOptions(context, params),
          enabled: true,
          packageInfo: packageInfo(application),
          modelOrder: modelOrder(registry, [...application.modelConfig.entries.keys()]),
          onSwagger: (document: object) => void app.emit('swaggerResources', document)
        })
      }
    }
  }
}
