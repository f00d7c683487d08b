import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type BenchOptions, InvalidBenchOption } from './options.ts'

/** Results that are written as they come. */
export interface KeptResults<Results> {
  /** Those of the file, where it has some of the same options. */
  readonly results: Results
  readonly save: () => Promise<void>
}

/** What must be the same for results to belong together. */
const sizes = ({ pairs: _pairs, json: _json, profile: _profile, ...others }: BenchOptions): unknown =>
  JSON.parse(JSON.stringify({ ...others, workloads: others.workloads.map(({ name }) => name) }))

/**
 * Keeps results in the file of `--json`, or nowhere. A file that a run before has written is gone on with.
 * @throws {InvalidBenchOption} its results are of other options
 */
export async function keepResults<Results>(options: BenchOptions, empty: Results): Promise<KeptResults<Results>> {
  const { json } = options
  if (json === undefined) return { results: empty, save: async () => {} }
  const found = existsSync(json) ? await readResults<Results>(json, options) : undefined
  const results = found ?? empty
  return { results, save: () => writeFile(json, JSON.stringify({ sizes: sizes(options), results }, null, 2)) }
}

async function readResults<Results>(file: string, options: BenchOptions): Promise<Results> {
  const kept = parse(await readFile(file, 'utf8'))
  if (!isDeepStrictEqual(kept['sizes'], sizes(options)))
    throw new InvalidBenchOption(`${file} has no results of these options: move it, or name another file`)
  return kept['results'] as Results // `save` wrote them
}

/** Something else than an object, or no JSON, has no results. */
function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
