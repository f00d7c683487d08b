import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { measure } from '../commands/measure.ts'
import { readFileOf, readResults, type ResultsFile, ResultsUnfit } from '../keep-results.ts'
import { type BenchOptions, InvalidBenchOption } from '../options.ts'
import { type Origin, readOrigin, repository } from '../origin.ts'
import { callOf, type Step, steps } from './steps.ts'
import { writePage } from './write-page.ts'

const kept = join(repository, 'bench', '.report')

type Print = (text: string) => void

/**
 * Measures what the page of figures needs and is not measured yet, and writes it. @returns false where a step could not be measured
 * @throws {InvalidBenchOption} a step is unknown, or results are of another commit or machine
 */
export async function runReport(options: BenchOptions, print: Print): Promise<boolean> {
  const folder = options.short ? join(kept, 'short') : kept
  const fileOf = ({ name }: Step): string => join(folder, `${name}.json`)
  const chosen = chooseSteps(options.steps)
  const failed = options.draw ? [] : await measureSteps(chosen, fileOf, options, print)
  const results = new Map<Step, ResultsFile<unknown>>()
  for (const step of steps) {
    const found = await readKept(step, fileOf(step), options, print)
    if (found !== undefined) results.set(step, found)
  }
  print(await writePage(results, options.short ? folder : undefined))
  for (const text of failed) print(text)
  return failed.length === 0
}

/** The steps of these names. @throws {InvalidBenchOption} */
export function chooseSteps(names: readonly string[] | undefined): readonly Step[] {
  const unknown = names?.find((name) => !steps.some((step) => step.name === name))
  if (unknown !== undefined)
    throw new InvalidBenchOption(`there is no step "${unknown}": ${steps.map(({ name }) => name).join(', ')}`)
  return names === undefined ? steps : steps.filter(({ name }) => names.includes(name))
}

/** The steps that are not finished, whose kept results may be gone on with. @throws {ResultsUnfit} */
export async function openSteps(
  chosen: readonly Step[],
  fileOf: (step: Step) => string,
  { short, again }: Pick<BenchOptions, 'short' | 'again'>,
  origin: Origin
): Promise<readonly Step[]> {
  const open: Step[] = []
  const refused: string[] = []
  for (const step of chosen) {
    const found = await tryToRead(step, fileOf(step), short, origin)
    if (found === 'done') continue
    open.push(step)
    if (found === 'open') continue
    if (again) await rm(fileOf(step))
    else refused.push(found.message)
  }
  if (refused.length === 0) return open
  throw new ResultsUnfit([...refused, '--again drops these results, --draw draws them as they are'].join('\n'))
}

async function tryToRead(
  step: Step,
  file: string,
  short: boolean,
  origin: Origin
): Promise<'done' | 'open' | ResultsUnfit> {
  try {
    const found = await readResults(file, callOf(step, file, short).options, origin)
    return found?.done === true ? 'done' : 'open'
  } catch (error) {
    if (error instanceof ResultsUnfit) return error
    throw error
  }
}

const minutesOf = (some: readonly Step[]): number => some.reduce((sum, { minutes }) => sum + minutes, 0)

async function measureSteps(
  chosen: readonly Step[],
  fileOf: (step: Step) => string,
  options: BenchOptions,
  print: Print
): Promise<string[]> {
  const open = await openSteps(chosen, fileOf, options, readOrigin())
  const left = (from: number): string =>
    options.short ? 'a trial' : `about ${Math.ceil(minutesOf(open.slice(from)))} minutes left`
  const failed: string[] = []
  print(`${open.length} of ${chosen.length} steps are to be measured: ${left(0)}`)
  for (const [at, step] of open.entries()) {
    const file = fileOf(step)
    const { command, options: own } = callOf(step, file, options.short)
    print(`\nstep ${at + 1} of ${open.length}, ${left(at)}: ${step.name} (pnpm bench ${step.args})`)
    try {
      await measure(command, own, print)
    } catch (error) {
      // The other steps do not need it; what it has measured is kept.
      failed.push(`${step.name} failed: ${error instanceof Error ? error.message : String(error)}`)
      print(failed.at(-1) ?? '')
    }
  }
  return failed
}

/** What is there of a step, if all of it. */
async function readKept(
  step: Step,
  file: string,
  { short }: BenchOptions,
  print: Print
): Promise<ResultsFile<unknown> | undefined> {
  try {
    const found = await readFileOf(file, callOf(step, file, short).options)
    return found?.done === true ? found : undefined
  } catch (error) {
    if (!(error instanceof ResultsUnfit)) throw error
    print(error.message)
    return undefined
  }
}
