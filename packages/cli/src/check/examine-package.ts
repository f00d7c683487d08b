import { join } from 'node:path'
import { DefinitionError } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import { absentComponents, type Application, connectorModule, isFile, readJsonFile } from '@modelwire/boot/check'
import { connectorName } from '@modelwire/boot'
import { type Finding, findingOf } from './finding.ts'
import type { ReadScript } from './examine-scripts.ts'

const replaced = new Set([
  'loopback',
  'loopback-boot',
  'loopback-datasource-juggler',
  'strong-remoting',
  'strong-error-handler'
])
const counterparts = new Set(['postgresql', 'mysql', 'sqlite', 'kv-redis'])
/** Components that packages of Modelwire replace. */
const served: ReadonlySet<string> = new Set(['explorer', 'oauth2', 'passport', 'storage'])

interface Manifest {
  readonly file: string
  readonly dependencies: Readonly<Record<string, unknown>>
  readonly development: Readonly<Record<string, unknown>>
}

/** Examines the packages in an application's `package.json`, and those that its scripts require in addition. */
export async function examinePackage(application: Application, scripts: Iterable<ReadScript>): Promise<Finding[]> {
  try {
    const manifest = await readManifest(application)
    const named = Object.entries(manifest.dependencies).flatMap(([name, range]) =>
      examineDependency(application, manifest.file, name, String(range))
    )
    return [...named, ...missingPackages(application, manifest, scripts)]
  } catch (error) {
    if (error instanceof DefinitionError) return [findingOf(error, 'package.json')]
    throw error
  }
}

async function readManifest({ folder }: Application): Promise<Manifest> {
  const path = join(folder.root, 'package.json')
  const value = isFile(path) ? readJsonFile(folder, path) : {}
  const part = (name: string): Record<string, unknown> => {
    const found: unknown = Reflect.get(Object(value), name)
    return isPlainObject(found) ? found : {}
  }
  return { file: folder.nameOf(path), dependencies: part('dependencies'), development: part('devDependencies') }
}

function examineDependency(application: Application, file: string, name: string, range: string): Finding[] {
  const place = { file, key: `dependencies.${name}` }
  if (name === 'loopback') return examineVersion(application, place, Number(/\d+/.exec(range)?.[0]))
  if (name.startsWith('@loopback/'))
    return [
      {
        effect: 'fails',
        ...place,
        reason: 'LoopBack 4 packages are not supported',
        advice: 'this server is for LoopBack 2 and 3'
      }
    ]
  if (replaced.has(name)) return [notNeeded(place, 'this server replaces it')]
  const connector = name.startsWith('loopback-connector-') ? connectorName(name) : undefined
  if (connector !== undefined && counterparts.has(connector))
    return [notNeeded(place, `${connectorModule(connector)} replaces it`)]
  const component = /^loopback-component-(\w+)/.exec(name)?.[1]
  return component === undefined ? [] : examineComponent(application, place, name, component)
}

const notNeeded = (place: { file: string; key: string }, reason: string): Finding => {
  return { effect: 'info', ...place, reason, advice: 'remove the dependency once nothing runs on LoopBack any more' }
}

function examineVersion({ version }: Application, place: { file: string; key: string }, major: number): Finding[] {
  if (major === version || Number.isNaN(major)) return [notNeeded(place, 'this server replaces it')]
  const reason = `the application was written for LoopBack ${major}, but is examined for ${version}`
  return [
    { effect: 'differs', ...place, reason, advice: `pass --loopback ${major}, or version: ${major} to createServer` }
  ]
}

/** Components that are configured are examined where that is done. */
function examineComponent(
  { components: configured }: Application,
  place: { file: string; key: string },
  name: string,
  component: string
): Finding[] {
  if (served.has(component)) return [notNeeded(place, `@modelwire/${component} replaces it`)]
  if (Object.hasOwn(configured.value, name)) return []
  const absent = absentComponents.get(name)
  if (absent !== undefined)
    return [{ effect: 'differs', ...place, reason: absent, advice: 'make sure that no script sets it up' }]
  const reason = 'it runs as installed, on the modules that Modelwire provides'
  return [{ effect: 'info', ...place, reason, advice: 'keep it installed' }]
}

/** Packages that scripts require and that are not there. */
function missingPackages({ folder }: Application, manifest: Manifest, scripts: Iterable<ReadScript>): Finding[] {
  return [...scripts].flatMap(({ path, missing }) =>
    missing.map(({ name, line }): Finding => {
      const bare = name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
      const isListed = Object.hasOwn(manifest.dependencies, bare) || Object.hasOwn(manifest.development, bare)
      const place = { file: folder.nameOf(path), line }
      if (isListed)
        return {
          effect: 'info',
          ...place,
          reason: `${bare} is in package.json but not installed`,
          advice: 'npm install'
        }
      const reason = `it requires ${name}, which is neither installed nor in package.json`
      return { effect: 'fails', ...place, code: 'SCRIPT_FAILED', reason, advice: `npm install ${bare}` }
    })
  )
}
