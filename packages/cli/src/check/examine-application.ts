import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { memory } from '@modelwire/connector-memory'
import { DefinitionError, ApiError, type ModelRegistry } from '@modelwire/core'
import { UnknownDataSource } from '@modelwire/core/plugin'
import { shortName, type Connector, type DataSource } from '@modelwire/core/connector'
import { fillDefaults } from '@modelwire/server'
import {
  environmentOf,
  findAppFolder,
  type FolderSource,
  noOAuth,
  oauth2Module,
  type PreparedApplication,
  readJsonFile,
  startServer,
  installed,
  type Application
} from '@modelwire/boot/check'
import {
  AppFolderInvalid,
  type BootOptions,
  BootOptionsSchema,
  type ConnectorFactories,
  type Served,
  connectorName
} from '@modelwire/boot'
import { examineConnectors, examineSettings } from './examine-data-sources.ts'
import { examineDatabase } from './examine-database.ts'
import { examineModels } from './examine-models.ts'
import { examinePackage } from './examine-package.ts'
import { createExaminedScripts, type ExaminedScripts } from './examine-scripts.ts'
import { collectWarnings, type Finding, findingOf, findingOfNote, placeFindings } from './finding.ts'
import { configFile, createMendedFiles, type MendedFiles } from './mended-files.ts'

/** The databases of an examined application, whose own data sources are in memory. */
interface DatabaseExamination {
  readonly application: Application
  readonly registry: ModelRegistry
  /** Connectors that code provides. */
  readonly own: ReadonlySet<string>
  /** The file that a model is defined in. */
  readonly fileOf: (model: string) => string
}

/** The result of an examination. */
export interface Examination {
  readonly dir: string
  readonly env: string
  readonly version: 2 | 3
  /** Sorted by file and line. */
  readonly findings: readonly Finding[]
  /** What would be reachable, excluding what scripts add and what does not run. */
  readonly served: Served | undefined
  /** The number of scripts that were read. */
  readonly scripts: number
}

/** Memory in place of every connector: definitions are wanted, not data. */
const inMemory: ConnectorFactories = new Proxy({}, { get: () => () => memory() })

/** A start of the application that runs none of its scripts. */
interface DryRun {
  readonly findings: readonly Finding[]
  readonly served: Served
}

/** The state of an examination across dry runs. */
interface Examining {
  readonly options: BootOptions
  readonly source: FolderSource
  readonly scripts: ExaminedScripts
  readonly databases: boolean
  prepared: PreparedApplication | undefined
}

/** What is examined in addition to the files. */
export interface ExaminationOptions {
  /** Query the databases for what startup would report about them. */
  readonly databases?: boolean
}

/**
 * Examines an application without starting it: none of its scripts is run, and no database is contacted unless `databases`
 * is set. The application is built as usual, with all data sources in memory; whatever prevents startup is removed, until
 * no error remains.
 * @throws {AppFolderInvalid} the folder holds no application
 */
export async function examineApplication(
  options: BootOptions,
  { databases = false }: ExaminationOptions = {}
): Promise<Examination> {
  const { version, variables = process.env } = fillDefaults(BootOptionsSchema, options)
  const env = environmentOf(options.env, variables)
  const { root } = findAppFolder(options.dir, env)
  const files = createMendedFiles(root)
  const scripts = createExaminedScripts(version)
  const source: FolderSource = { readJson: files.readJson, loadScript: scripts.load }
  const examining: Examining = { options, source, scripts, databases, prepared: undefined }
  const { mistakes, run } = await runUntilMended(examining, files.mend)
  const found = [...mistakes, ...scripts.findings, ...(run?.findings ?? []), ...unreadConfigs(options.dir, env)]
  found.push(...uncompiledScripts(options.dir, env))
  if (run === undefined) found.push(unfinished(mistakes.at(-1)))
  const findings = placeFindings(root, found)
  return { dir: root, env, version, findings, served: run?.served, scripts: scripts.scripts.size }
}

/**
 * Runs the application dry, each time without the mistakes found before. There is no run where a mistake cannot be left
 * out.
 */
async function runUntilMended(
  examining: Examining,
  mend: MendedFiles['mend']
): Promise<{ mistakes: Finding[]; run: DryRun | undefined }> {
  const mistakes: Finding[] = []
  let outcome = await tryRun(examining)
  while (outcome instanceof DefinitionError) {
    const file = fileOf(outcome, examining)
    if (!isConsequence(outcome, mistakes, examining.scripts)) mistakes.push(findingOf(outcome, file))
    if (!mend(outcome, file)) return { mistakes, run: undefined }
    outcome = await tryRun(examining)
  }
  return { mistakes, run: outcome }
}

async function tryRun(examining: Examining): Promise<DryRun | DefinitionError> {
  try {
    return await runDry(examining)
  } catch (error) {
    if (error instanceof AppFolderInvalid || !(error instanceof DefinitionError)) throw error
    return error
  }
}

async function runDry(examining: Examining): Promise<DryRun> {
  const { options, source, scripts, databases } = examining
  const warnings = collectWarnings()
  const inputs = { ...options, connectors: inMemory, logger: warnings.logger }
  const started = await startServer(inputs, { source }, (prepared) => void Object.assign(examining, { prepared }))
  const { server } = started
  const { prepared } = started.application
  const { application } = prepared
  try {
    const texts = Array.from(scripts.scripts.values(), ({ text }) => text).join('\n')
    const { notes, served } = server.bootReport
    const own = new Set(Object.keys(options.connectors ?? {}))
    const fileNamed = (name: string): string => fileOfModel(name, prepared)
    const fromNotes = notes.map((note) => findingOfNote({ ...note, file: fileNamed(note.file) }))
    return {
      served,
      findings: [
        ...fromNotes.filter((finding) => !isUnknowable(finding, texts)),
        ...warnings.findings(relative(application.folder.root, application.folder.serverDir), notes),
        ...examineConnectors(application, own),
        ...(await examineSettings(application, server.models.dataSources.values(), own)),
        ...examineModels({ registry: server.models, application, scripts: texts }),
        ...(databases ? await examineDatabases({ application, registry: server.models, own, fileOf: fileNamed }) : []),
        ...(await examinePackage(application, scripts.scripts.values()))
      ]
    }
  } finally {
    await server.close()
  }
}

/** The name of a model that stands in place of a file. */
function fileOfModel(name: string, prepared: PreparedApplication | undefined): string {
  const { modelFiles, modelConfig } = prepared?.application ?? {}
  if (modelFiles?.has(name) === true) return modelFiles.get(name)?.file ?? name
  return modelConfig?.entries.has(name) === true ? modelConfig.config.fileOf(name) : name
}

function fileOf({ where: { file, model } }: DefinitionError, { prepared }: Examining): string {
  return file ?? fileOfModel(model ?? '.', prepared)
}

/** A data source that cannot be determined, or whose mistake was reported already. */
function isConsequence(
  error: DefinitionError,
  mistakes: readonly Finding[],
  { unknownConfigs }: ExaminedScripts
): boolean {
  if (!(error instanceof UnknownDataSource)) return false
  return unknownConfigs.has('datasources') || mistakes.some(({ file }) => /(^|\/)datasources\b/.test(file))
}

/** What scripts may well do in a way that their text does not show at once: methods that they add, OAuth that they set up. */
function isUnknowable({ key = '', reason }: Finding, texts: string): boolean {
  if (reason === noOAuth) return texts.includes(oauth2Module)
  const [, method] = key.split('sharedMethods.')
  return method !== undefined && reason.startsWith('unknown method') && texts.includes(shortName(method))
}

function unfinished(last: Finding | undefined): Finding {
  const reason = 'anything after this error could not be examined'
  return { effect: 'info', file: last?.file ?? '', line: last?.line, reason, advice: 'correct it and examine again' }
}

/** Configuration files of other environments that are not valid JSON. */
function unreadConfigs(dir: string, env: string): Finding[] {
  const folder = findAppFolder(dir, env)
  const names = readdirSync(folder.serverDir).filter((name) => configFile.test(name))
  return names.flatMap((name) => {
    try {
      readJsonFile(folder, join(folder.serverDir, name))
      return []
    } catch (error) {
      if (error instanceof DefinitionError) return [findingOf(error, folder.nameOf(join(folder.serverDir, name)))]
      throw error
    }
  })
}

/** Scripts in TypeScript, which a start would pass over: those without a script in JavaScript beside them. */
function uncompiledScripts(dir: string, env: string): Finding[] {
  const folder = findAppFolder(dir, env)
  const places = [folder.serverDir, join(folder.root, 'common')].filter((place) => existsSync(place))
  const files = places.flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name))
  )
  const all = new Set(files)
  const isUncompiled = (file: string): boolean =>
    /(?<!\.d)\.[cm]?ts$/.test(file) && !/[\\/]node_modules[\\/]/.test(file) && !all.has(file.replace(/ts$/, 'js'))
  return files.filter(isUncompiled).map((file) => ({
    effect: 'fails',
    file: folder.nameOf(file),
    reason: 'TypeScript scripts are not run: what they define is missing from the application',
    advice: 'compile the application, and check the compiled folder'
  }))
}

/** What the databases of an application say that a start would tell, or not start with. Each is asked, and left again. */
async function examineDatabases(examination: DatabaseExamination): Promise<Finding[]> {
  const sources = [...examination.registry.dataSources.values()]
  return (await Promise.all(sources.map(async (source) => examineSource(examination, source)))).flat()
}

/** The connector of a data source as a start would make it; undefined where it is none of a database, or its settings are wrong. */
function connectorOf({ application, own }: DatabaseExamination, { name, settings }: DataSource): Connector | undefined {
  const written = String(settings['connector'] ?? name)
  const short = connectorName(written)
  if (own.has(written) || own.has(short)) return undefined
  try {
    const place = { file: application.dataSources.fileOf(name), key: name }
    return installed(application.folder, short, place)?.(settings)
  } catch (error) {
    // A finding of its own tells what is wrong with the settings.
    if (error instanceof DefinitionError) return undefined
    throw error
  }
}

async function examineSource(examination: DatabaseExamination, source: DataSource): Promise<Finding[]> {
  const connector = connectorOf(examination, source)
  if (connector?.examine === undefined) return []
  const { application, registry } = examination
  try {
    return await examineDatabase(registry, { name: source.name, connector }, ({ model, property }) => ({
      file: examination.fileOf(model),
      ...(property !== undefined && { key: `properties.${property}` })
    }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message } = error
    const place = { file: application.dataSources.fileOf(source.name), key: source.name }
    return [{ effect: 'fails', ...place, code, reason: `the data source ${source.name}: ${message}` }]
  } finally {
    await connector.disconnect()
  }
}
