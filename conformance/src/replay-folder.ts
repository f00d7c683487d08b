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

const stepsOf = ({ bootFails, steps }: Scenario): number => (bootFails === true ? 1 : steps.length)

async function replayFile(file: string, { recordings, start }: FolderOptions): Promise<ScenarioResult> {
  const path = join(recordings, 'scenarios', file)
  const scenario = JSON.parse(await readFile(path, 'utf8')) as Scenario // recorded by our own recorder
  const area = file.split(sep)[0] ?? ''
  const failures = await replay(scenario, join(recordings, 'apps'), start).catch((error: unknown) => [
    { step: 'start', why: `failed: ${error instanceof Error ? error.message : String(error)}` }
  ])
  return { area, file, steps: stepsOf(scenario), failures }
}

/**
 * Replays the scenarios of a folder of recordings, and tells of them in the order of their names.
 * @throws {RangeError} there is no such area, or no number of scenarios to replay beside each other
 */
export async function replayFolder(options: FolderOptions): Promise<readonly ScenarioResult[]> {
  const root = join(options.recordings, 'scenarios')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => options.areas.length === 0 || options.areas.includes(file.split(sep)[0] ?? ''))
    .toSorted()
  const isUnknown = (area: string): boolean => !files.some((file) => file.startsWith(`${area}${sep}`))
  if (options.areas.some(isUnknown))
    throw new RangeError(`no recordings of ${options.areas.filter(isUnknown).join(', ')}`)
  if (!(options.beside >= 1)) throw new RangeError('at least one scenario has to be replayed at once')
  const left = [...files]
  const results: ScenarioResult[] = []
  const work = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) results.push(await replayFile(file, options))
  }
  await Promise.all(Array.from({ length: options.beside }, work))
  return results.toSorted((one, other) => files.indexOf(one.file) - files.indexOf(other.file))
}
