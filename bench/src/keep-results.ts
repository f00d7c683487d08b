import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type BenchOptions, InvalidBenchOption } from './options.ts'

/** What a file of `--json` holds. */
interface ResultsFile<Results> {
  readonly machine: string
  readonly options: BenchOptions
  readonly results: Results
}

/** Writes results to a file, with what they were measured on and how. */
export async function writeResults<Results>(file: string, content: ResultsFile<Results>): Promise<void> {
  await writeFile(file, JSON.stringify(content, null, 2))
}

/** What must be the same for results to belong together. */
const sizesOf = ({ pairs: _pairs, json: _json, profile: _profile, ...sizes }: BenchOptions): unknown => sizes

/**
 * The results of a file that the same options have written, to be gone on with; undefined where there is none.
 * @throws {InvalidBenchOption} it holds no results, or those of other options
 */
export async function readResults<Results>(file: string, options: BenchOptions): Promise<Results | undefined> {
  if (!existsSync(file)) return undefined
  const kept = await parseFile<Results>(file)
  const asked: BenchOptions = JSON.parse(JSON.stringify(options)) // as it is written
  if (kept.options === undefined || !isDeepStrictEqual(sizesOf(kept.options), sizesOf(asked)))
    throw new InvalidBenchOption(`${file} has no results of these options: move it, or name another file`)
  return kept.results
}

async function parseFile<Results>(file: string): Promise<Partial<ResultsFile<Results>>> {
  try {
    // Anything else than an object has no options.
    return { ...(JSON.parse(await readFile(file, 'utf8')) as Partial<ResultsFile<Results>>) }
  } catch (cause) {
    throw new InvalidBenchOption(`${file} is no JSON: move it, or name another file`, { cause })
  }
}
