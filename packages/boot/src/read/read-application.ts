import { resolve } from 'node:path'
import { type AppFolder, environmentOf, findAppFolder, type FolderSource, isFile } from './files/app-folder.ts'
import { type AddNote, collectNotes, type Note, type NoteCollection } from '../boot-report.ts'
import { type AppSettings, createSettings } from '@modelwire/loopback/api'
import type { FindVariable } from './config/expand-variables.ts'
import { noteSettings } from './config/note-settings.ts'
import type { MergeConfig } from './config/merge-config.ts'
import { type Config, configOf, readConfig } from './config/read-config.ts'
import { checkConfig, type Settings, SettingsSchema } from './config/settings-schema.ts'
import { AppFolderInvalid } from '../errors.ts'
import { type MiddlewareEntry, orderPhases } from '@modelwire/loopback/express'
import { addressSettings } from '../listen-options.ts'
import { mergeMiddleware, readMiddleware } from './middleware/read-middleware.ts'
import { findModelFiles, type ModelFile } from './models/find-model-files.ts'
import { type ModelConfig, readModelConfig } from './models/read-model-config.ts'

/** The files of an application, read and checked, before anything is built. */
export interface Application {
  readonly folder: AppFolder
  readonly version: 2 | 3
  readonly config: Config
  /** The supported settings of `config.json`. */
  readonly checked: Settings
  readonly settings: AppSettings
  readonly dataSources: Config
  readonly components: Config
  readonly modelConfig: ModelConfig
  readonly modelFiles: ReadonlyMap<string, ModelFile>
  readonly middleware: readonly MiddlewareEntry[]
  /** Phases of middleware in order. */
  readonly phases: readonly string[]
  /** Looks up a variable of `${…}`: an environment variable, else a setting. */
  readonly findVariable: FindVariable
  readonly notes: readonly Note[]
  readonly add: AddNote
}

/** The files of an application's configuration. */
export type ConfigName = 'config' | 'datasources' | 'model-config' | 'middleware' | 'component-config'

/** The configuration that a script passes when it boots the application. */
export interface ConfigInstructions {
  /** Configurations that replace their files. */
  readonly configs?: Readonly<Partial<Record<ConfigName, Readonly<Record<string, unknown>>>>>
  /** Folders to search for files, relative to that of the application. */
  readonly folders?: Readonly<Partial<Record<ConfigName, string>>>
  readonly modelSources?: readonly string[]
  readonly mixinSources?: readonly string[]
  /** True if nothing in the folder counts: the application consists of what its scripts define. */
  readonly isPlain?: boolean
}

/** The options of `boot` that reading depends on. */
export interface ReadingOptions {
  readonly dir: string
  readonly env?: string | undefined
  readonly version: 2 | 3
  readonly packageFolders?: readonly string[] | undefined
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
}

/** The optional inputs of reading an application. */
export interface ReadingParts {
  /** Reads its files instead of the file system. */
  readonly source?: FolderSource | undefined
  /** Settings that scripts have already set. */
  readonly settings?: AppSettings | undefined
  /** The configuration of `boot(app, options)` that replaces files. */
  readonly instructions?: ConfigInstructions | undefined
  /** The notes so far. */
  readonly collection?: NoteCollection | undefined
}

function folderOf(
  { dir, env, variables = process.env, packageFolders }: ReadingOptions,
  { source }: ReadingParts
): AppFolder {
  return findAppFolder(dir, environmentOf(env, variables), { source, packageFolders })
}

const makeFindVariable = (find: (name: string) => unknown, isStrict: boolean): FindVariable =>
  Object.assign(find, { isStrict })

/**
 * Reads an application folder.
 * @throws {AppFolderInvalid} it holds no application
 * @throws {ConfigFileInvalid} a file cannot be read
 * @throws {ConfigValueInvalid} a key has the wrong type
 */
export function readApplication(options: ReadingOptions, parts: ReadingParts = {}): Application {
  const { version, variables = process.env } = options
  const folder = folderOf(options, parts)
  const { notes, add } = parts.collection ?? collectNotes()
  const instructions = instructionsOf(parts)
  const read = (name: ConfigName, merge?: MergeConfig): Config => readOne(folder, name, instructions, merge)
  const config = read('config')
  const dataSources = read('datasources')
  const models = read('model-config')
  const middlewareConfig = read('middleware', mergeMiddleware)
  const components = read('component-config')
  if (instructions.isPlain !== true) refuseOtherFolders(folder, [config, models])
  const checked = checkConfig(SettingsSchema, config.value, config, [])
  const settings = parts.settings ?? createSettings({}, folder.env)
  settings.merge({ ...config.value, ...addressOf(instructions, config, variables, settings) })
  // An examination does not run where the variables are set.
  const isStrict = checked.strictVariables === true && parts.source === undefined
  const findVariable = makeFindVariable((name) => variables[name] ?? settings.get(name), isStrict)
  const modelConfig = withSources(readModelConfig(models, add), instructions)
  const modelFiles = findModelFiles(folder, modelConfig.sources, models.fileOf('_meta'), add)
  const middleware = readMiddleware(middlewareConfig, { folder, findVariable, add })
  const phases = orderPhases(Object.keys(middlewareConfig.value), middlewareConfig.fileOf)
  noteSettings(checked, config, version, add)
  return {
    folder,
    version,
    config,
    checked,
    settings,
    dataSources,
    components,
    modelConfig,
    modelFiles,
    middleware,
    phases,
    findVariable,
    notes,
    add
  }
}

/** An application that is not booted has the address that its scripts set. */
function addressOf(
  { isPlain = false }: ConfigInstructions,
  { value }: Config,
  variables: NonNullable<ReadingOptions['variables']>,
  settings: AppSettings
): Readonly<Record<string, unknown>> {
  return isPlain ? {} : addressSettings(value, variables, (name) => settings.get(name))
}

/** Settings that scripts make count as those of a file do. */
function instructionsOf({ instructions = {}, settings }: ReadingParts): ConfigInstructions {
  if (instructions.isPlain !== true) return instructions
  const names = settings?.names().filter((name) => name in SettingsSchema.properties) ?? []
  const config = Object.fromEntries(names.map((name) => [name, settings?.get(name)]))
  return { isPlain: true, configs: { config }, modelSources: [], mixinSources: [] }
}

function readOne(
  folder: AppFolder,
  name: ConfigName,
  { configs = {}, folders = {}, isPlain = false }: ConfigInstructions,
  merge?: MergeConfig
): Config {
  const written = configs[name] ?? (isPlain ? {} : undefined)
  if (written !== undefined) return configOf(written, `options of boot: ${name}`)
  const own = folders[name]
  return readConfig(own === undefined ? folder : { ...folder, serverDir: resolve(folder.serverDir, own) }, name, merge)
}

function withSources(modelConfig: ModelConfig, { modelSources, mixinSources }: ConfigInstructions): ModelConfig {
  return {
    ...modelConfig,
    sources: modelSources ?? modelConfig.sources,
    mixinSources: mixinSources ?? modelConfig.mixinSources
  }
}

function refuseOtherFolders(folder: AppFolder, configs: readonly Config[]): void {
  if (configs.some(({ files }) => files.length > 0) || isFile(`${folder.serverDir}/server.js`)) return
  throw new AppFolderInvalid(
    'neither config.json nor model-config.json exists: this is not a LoopBack 3 application. A TypeScript project names its server in package.json: "modelwire": { "server": "dist/server.js" }',
    { file: folder.serverDir }
  )
}
