import { Session } from 'node:inspector/promises'

/**
 * A function that ran.
 * @typedef {{ url: string, name: string, start: number, end: number }} Entered
 */

const isOurs = ({ url }) => /\/packages\/[\w-]+\/dist\//.test(url)

/** @typedef {{ name: string, start: number, end: number }} Named */

/** The name of the innermost of these functions around a range. */
function nameAround(named, { startOffset, endOffset }) {
  const around = named.filter(({ start, end }) => start <= startOffset && endOffset <= end)
  return around.toSorted((a, b) => b.start - a.start)[0]?.name
}

/** V8 lists the file itself and the initial values of fields as functions, too. */
const isWritten = ({ functionName, ranges: [{ startOffset }] }) => startOffset > 0 && !functionName.startsWith('<')

/** Functions of files, by the address of the file, that have a name. */
function namedIn(files) {
  const byUrl = new Map()
  for (const { url, functions } of files) {
    const named = functions.filter((one) => isWritten(one) && one.functionName !== '')
    byUrl.set(
      url,
      named.map(({ functionName: name, ranges: [{ startOffset: start, endOffset: end }] }) => ({ name, start, end }))
    )
  }
  return byUrl
}

/** Functions of a file that ran. One without a name goes by the function around it, which may have run before. */
function enteredIn({ url, functions }, before) {
  return functions
    .filter((one) => isWritten(one) && one.ranges[0].count > 0)
    .map(({ functionName, ranges: [range] }) => {
      const name = functionName === '' ? (nameAround(before.get(url) ?? [], range) ?? 'anonymous') : functionName
      return { url, name, start: range.startOffset, end: range.endOffset }
    })
}

/** Starts to count calls. `during(run)` gives the functions of built packages that ran meanwhile. */
export async function startCoverage() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = async () => (await session.post('Profiler.takePreciseCoverage')).result.filter(isOurs)
  const seen = new Map()
  const remember = (files) =>
    namedIn(files).forEach((named, url) => seen.set(url, [...(seen.get(url) ?? []), ...named]))
  return {
    async during(run) {
      remember(await take())
      await run()
      const files = await take()
      remember(files)
      return files.flatMap((file) => enteredIn(file, seen))
    },
    async stop() {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    }
  }
}
