import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { replay, type Failure, type StartApp } from './replay.ts'
import type { Scenario } from './scenario.ts'

/** What a scenario's replay told. `area` is its folder, `file` its path below `scenarios`. */
export interface ScenarioResult {
  readonly area: string
  readonly file: string
  readonly steps: number
  readonly failures: readonly Failure[]
}

/** How a folder is replayed. */
export interface FolderOptions {
  /** The folder with `apps` and `scenarios`. */
  readonly recordings: string
  readonly start: StartApp
  /** Areas to replay; all of them when empty. */
  readonly areas: readonly string[]
  /** How many scenarios are replayed beside each other. */
  readonly beside: number
}

/** A scenario of a folder of recordings. */
export async function readScenario(recordings: string, file: string): Promise<Scenario> {
  const text = await readFile(join(recordings, 'scenarios', file), 'utf8')
  return JSON.parse(text) as Scenario // recorded by our own recorder
}

const stepsOf = ({ bootFails, steps }: Scenario): number => (bootFails === true ? 1 : steps.length)

/** Replays one scenario: `file` is its path below `scenarios`. */
export async function replayFile(
  file: string,
  { recordings, start }: Pick<FolderOptions, 'recordings' | 'start'>
): Promise<ScenarioResult> {
  const scenario = await readScenario(recordings, file)
  const area = file.split(sep)[0] ?? ''
  const failures = await replay(scenario, join(recordings, 'apps'), start).catch((error: unknown) => [
    { step: 'start', why: `failed: ${error instanceof Error ? error.message : String(error)}` }
  ])
  return { area, file, steps: stepsOf(scenario), failures }
}

/**
 * The scenarios of some areas, or of all where none is named, in the order of their names.
 * @throws {RangeError} there is no such area
 */
export async function listScenarios(recordings: string, areas: readonly string[]): Promise<readonly string[]> {
  const root = join(recordings, 'scenarios')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => areas.length === 0 || areas.includes(file.split(sep)[0] ?? ''))
    .toSorted()
  const isUnknown = (area: string): boolean => !files.some((file) => file.startsWith(`${area}${sep}`))
  if (areas.some(isUnknown)) throw new RangeError(`no recordings of ${areas.filter(isUnknown).join(', ')}`)
  return files
}

/**
 * Does the same for all files, some of them at once, and gives what came of each in their order.
 * @throws {RangeError} no number of files to work on at once
 */
export async function forEachFile<Result>(
  files: readonly string[],
  beside: number,
  work: (file: string) => Promise<Result>
): Promise<readonly Result[]> {
  if (!(beside >= 1)) throw new RangeError('at least one scenario has to be replayed at once')
  const left = [...files.entries()]
  const results = new Map<number, Result>()
  const takeNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results.set(next[0], await work(next[1]))
  }
  await Promise.all(Array.from({ length: beside }, takeNext))
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result)
}

/**
 * Replays the scenarios of a folder of recordings, and tells of them in the order of their names.
 * @throws {RangeError} there is no such area, or no number of scenarios to replay beside each other
 */
export async function replayFolder(options: FolderOptions): Promise<readonly ScenarioResult[]> {
  const files = await listScenarios(options.recordings, options.areas)
  return forEachFile(files, options.beside, (file) => replayFile(file, options))
}
