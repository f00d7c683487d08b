import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { memory } from '@modelwire/connector-memory'
import { DefinitionError } from '@modelwire/core'
import { fillDefaults, shortName, UnknownDataSource } from '@modelwire/core/plugin'
import { readTextFile } from '../config/read-text-file.ts'
import { environmentOf, findAppFolder, type FolderSource } from '../app-folder.ts'
import type { Served } from '../boot-report.ts'
import { readJsonFile } from '../config/read-json-file.ts'
import type { ConnectorFactories } from '../connectors/connector-factories.ts'
import { startServer } from '../create-server.ts'
import { AppFolderInvalid } from '../errors.ts'
import { moduleName as oauth2Module, noOAuth } from '../oauth2/oauth2-extension.ts'
import { type BootOptions, BootOptionsSchema } from '../options.ts'
import type { PreparedApplication } from '../prepare-application.ts'
import { examineConnectors } from './examine-connectors.ts'
import { examineModels } from './examine-models.ts'
import { examinePackage } from './examine-package.ts'
import { examineSettings } from './examine-settings.ts'
import { createExaminedScripts, type ExaminedScripts } from './examined-scripts.ts'
import { type Finding, findingOf, placeFindings } from './finding.ts'
import { findingOfNote } from './finding-of-note.ts'
import { createMendedFiles, type MendedFiles } from './mend-files.ts'

/** What an examination found. */
export interface Examination {
  readonly dir: string
  readonly env: string
  readonly version: 2 | 3
  /** By file and line. */
  readonly findings: readonly Finding[]
  /** What would be reachable; without what scripts add, and without the parts that do not run. */
  readonly served: Served | undefined
  /** How many scripts were read. */
  readonly scripts: number
}

/** Memory in place of every connector: definitions are wanted, not data. */
const inMemory: ConnectorFactories = new Proxy({}, { get: () => () => memory() })

/** A start of the application that runs none of its scripts. */
interface DryRun {
  readonly findings: readonly Finding[]
  readonly served: Served
}

/** What an examination remembers from one dry run to the next. */
interface Examining {
  readonly options: BootOptions
  readonly source: FolderSource
  readonly scripts: ExaminedScripts
  prepared: PreparedApplication | undefined
}

/**
 * Examines an application without starting it: none of its scripts is run and no database is contacted. It is built as at a
 * start, with all data sources in memory; what it would not start with is left out, until nothing is wrong any more.
 * @throws {AppFolderInvalid} the folder holds no application
 */
export async function examineApplication(options: BootOptions): Promise<Examination> {
  const { version, variables = process.env } = fillDefaults(BootOptionsSchema, options)
  const env = environmentOf(options.env, variables)
  const { root } = findAppFolder(options.dir, env)
  const files = createMendedFiles((file) => nameIn(join(root, file)))
  const scripts = createExaminedScripts(version)
  const source: FolderSource = { readJson: files.readJson, loadScript: scripts.load }
  const examining: Examining = { options, source, scripts, prepared: undefined }
  const { mistakes, run } = await runUntilMended(examining, files.mend)
  const found = [...mistakes, ...scripts.findings, ...(run?.findings ?? []), ...unreadConfigs(options.dir, env)]
  found.push(...uncompiledScripts(options.dir, env))
  if (run === undefined) found.push(unfinished(mistakes.at(-1)))
  const findings = await placeFindings(root, found)
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
  const { options, source, scripts } = examining
  const inputs = { ...options, connectors: inMemory, logger: false }
  const started = await startServer(inputs, { source }, (prepared) => void Object.assign(examining, { prepared }))
  const { server } = started
  const { prepared } = started.application
  const { application } = prepared
  try {
    const texts = Array.from(scripts.scripts.values(), ({ text }) => text).join('\n')
    const { notes, served } = server.bootReport
    const own = new Set(Object.keys(options.connectors ?? {}))
    const fromNotes = notes.map((note) => findingOfNote({ ...note, file: fileOfModel(note.file, prepared) }))
    return {
      served,
      findings: [
        ...fromNotes.filter((finding) => !isUnknowable(finding, texts)),
        ...examineConnectors(application, own),
        ...(await examineSettings(application, server.models.dataSources.values(), own)),
        ...examineModels({ registry: server.models, application, scripts: texts }),
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
  return method !== undefined && reason.startsWith('no method has this name') && texts.includes(shortName(method))
}

function unfinished(last: Finding | undefined): Finding {
  const reason = 'what comes after this mistake could not be examined'
  return { effect: 'info', file: last?.file ?? '', line: last?.line, reason, advice: 'correct it and examine again' }
}

/** The name that a model file that is not valid JSON seems to give; undefined for files of configuration. */
function nameIn(path: string): string | undefined {
  if (configFile.test(basename(path))) return undefined
  return /"name"\s*:\s*"([^"]+)"/.exec(textOf(path))?.[1]
}

/** What is not a file has no text, which is reported where it is read. */
function textOf(path: string): string {
  try {
    return readTextFile(path)
  } catch {
    return ''
  }
}

const configFile = /^(?:config|datasources|model-config|middleware|component-config)(?:\.[\w-]+)?\.json$/

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
    reason: 'a script in TypeScript is not run: nothing that it defines is part of the application',
    advice: 'compile the application, and check the folder that it is compiled into'
  }))
}
