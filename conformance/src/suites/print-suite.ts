import type { Compared } from './compare-file.ts'

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

const kindsIn = (compared: readonly Compared[]): readonly string[] =>
  [...new Set(compared.flatMap(({ excluded }) => Object.keys(excluded)))].toSorted()

/** Prints a table of the files of a suite, and what failed for no known reason. */
export function printSuite(suite: string, compared: readonly Compared[]): void {
  console.log(`${suite}: passed on LoopBack | here`)
  for (const { file, original, here, alone, excluded } of compared) {
    const kinds = Object.entries({ ...(alone > 0 && { alone }), ...excluded }).map(
      ([kind, count]) => `${kind} ${count}`
    )
    console.log(`  ${file}: ${original} | ${here}${kinds.length > 0 ? `  (${kinds.join(', ')})` : ''}`)
  }
  console.log(`  all: ${total(compared.map((one) => one.original))} | ${total(compared.map((one) => one.here))}`)
  for (const kind of kindsIn(compared))
    console.log(`  ${kind}: ${total(compared.map(({ excluded }) => excluded[kind] ?? 0))}`)
  for (const { file, unexpected, passing, hooks } of compared) {
    const told = unexpected.length > 0 ? hooks : []
    for (const { title, failure } of told) printFailure('hook failed', file, title, failure)
    for (const { title, failure } of unexpected) printFailure('failed', file, title, failure)
    for (const title of passing) console.log(`excluded, but passes: ${file}: ${title}`)
  }
}

function printFailure(word: string, file: string, title: string, failure = 'it did not run'): void {
  console.log(`${word}: ${file}: ${title}\n    ${failure.split('\n')[0]}`)
}
