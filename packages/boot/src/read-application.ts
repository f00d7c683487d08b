import { type AppFolder, findAppFolder, type FolderSource, isFile } from './app-folder.ts'
import { type AddNote, collectNotes, type Note } from './boot-report.ts'
import { type AppSettings, createSettings } from './config/app-settings.ts'
import type { FindVariable } from './config/expand-variables.ts'
import { noteSettings } from './config/note-settings.ts'
import { type Config, readConfig } from './config/read-config.ts'
import { checkConfig, type Settings, SettingsSchema } from './config/settings-schema.ts'
import { AppFolderInvalid } from './errors.ts'
import { type MiddlewareEntry, orderPhases } from '@modelwire/loopback-express'
import { mergeMiddleware, readMiddleware } from './middleware/read-middleware.ts'
import { findModelFiles, type ModelFile } from './models/find-model-files.ts'
import { type ModelConfig, readModelConfig } from './models/read-model-config.ts'
import type { BootOptions } from './options.ts'
import { noteServerScript } from './scripts/note-server-script.ts'

/** The files of an application, read and checked, before anything is built. */
export interface Application {
  readonly folder: AppFolder
  readonly version: 2 | 3
  readonly config: Config
  /** The settings of `config.json` that mean something here. */
  readonly known: Settings
  readonly settings: AppSettings
  readonly dataSources: Config
  readonly components: Config
  readonly modelConfig: ModelConfig
  readonly modelFiles: ReadonlyMap<string, ModelFile>
  readonly middleware: readonly MiddlewareEntry[]
  /** Phases of middleware in order. */
  readonly phases: readonly string[]
  /** A variable of `${…}`: the environment's first, then a setting. */
  readonly findVariable: FindVariable
  readonly notes: readonly Note[]
  readonly add: AddNote
}

/**
 * Reads an application folder.
 * @param source reads its files in place of the file system
 * @throws {AppFolderInvalid} it holds no application
 * @throws {ConfigFileInvalid} a file cannot be read
 * @throws {ConfigValueInvalid} a key has the wrong type
 */
export async function readApplication(options: BootOptions, source?: FolderSource): Promise<Application> {
  const { version = 3, variables = process.env } = options
  const folder = await findAppFolder(options.dir, options.env ?? variables['NODE_ENV'] ?? 'development', source)
  const { notes, add } = collectNotes()
  const [config, dataSources, models, middlewareConfig, components] = await Promise.all([
    readConfig(folder, 'config'),
    readConfig(folder, 'datasources'),
    readConfig(folder, 'model-config'),
    readConfig(folder, 'middleware', mergeMiddleware),
    readConfig(folder, 'component-config')
  ])
  await refuseOtherFolders(folder, [config, models])
  const known = checkConfig(SettingsSchema, config.value, config, [])
  const settings = createSettings(config.value, folder.env)
  const findVariable: FindVariable = (name) => variables[name] ?? settings.get(name)
  const modelConfig = readModelConfig(models, add)
  const modelFiles = await findModelFiles(folder, modelConfig.sources, models.fileOf('_meta'), add)
  const middleware = readMiddleware(middlewareConfig, { folder, findVariable, add })
  const phases = orderPhases(Object.keys(middlewareConfig.value), middlewareConfig.fileOf)
  noteSettings(known, config, version, add)
  await noteServerScript(folder, add)
  return {
    folder,
    version,
    config,
    known,
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

async function refuseOtherFolders(folder: AppFolder, configs: readonly Config[]): Promise<void> {
  if (configs.some(({ files }) => files.length > 0) || (await isFile(`${folder.serverDir}/server.js`))) return
  throw new AppFolderInvalid(
    'there is neither a config.json nor a model-config.json: this is no LoopBack 3 application',
    { file: folder.serverDir }
  )
}
