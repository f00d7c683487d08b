import { pathToFileURL } from 'node:url'
import type { ModelRegistry, Models } from '@modelwire/core'
import { SeedFileInvalid } from '../errors.ts'
import type { Stored } from './find-stored.ts'
import type { SeedFile } from './list-seed-files.ts'
import { modelNamed, toRecords } from './read-records.ts'
import type { SeedRun } from './seed-run.ts'
import { storeRecord, storeWaiting } from './store-record.ts'

/** An application: the Fastify server, or any other object that has its models. */
export interface SeededApp {
  readonly models: ModelRegistry & Models
}

/** The argument of a seed script in addition to the models. */
export interface SeedScriptTools<App extends SeededApp = SeededApp> {
  readonly app: App
  /** Stores records like those of a JSON file: each once, counted in the report. */
  readonly seed: (model: string, records: readonly object[]) => Promise<readonly Stored[]>
}

/** The default export of a script of the seeds. */
export type SeedScript<App extends SeededApp = SeededApp> = (
  models: App['models'],
  tools: SeedScriptTools<App>
) => unknown

async function loadScript({ file, path }: SeedFile): Promise<SeedScript> {
  const exported: unknown = await import(pathToFileURL(path).href)
  const { default: script } = Object(exported) as { default?: unknown } // a module is an object
  if (typeof script !== 'function')
    throw new SeedFileInvalid('the default export of a seed script must be a function', { file })
  return script as SeedScript // the convention of these files
}

/**
 * Runs a script of the seeds, and waits for it.
 * @throws {SeedFileInvalid} it exports no function
 */
export async function runScript(run: SeedRun, app: SeededApp, file: SeedFile): Promise<void> {
  const place = { file: file.file }
  const seed = async (name: string, records: readonly object[]): Promise<readonly Stored[]> => {
    const model = modelNamed(run.registry, name, place)
    const stored: Stored[] = []
    for (const record of toRecords(model, records, file.file)) {
      const one = await storeRecord(run, record)
      if (one !== undefined) stored.push(one)
    }
    await storeWaiting(run)
    run.at = place
    return stored
  }
  run.at = place
  const script = await loadScript(file)
  await script(app.models, { app, seed })
}
