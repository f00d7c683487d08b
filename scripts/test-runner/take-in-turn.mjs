/** @typedef {import('./find-test-files.mjs').TestFile} TestFile */
/** @typedef {{ long: boolean, take: () => TestFile | undefined }} Batch what one process runs; `take` gives its next file */

// Loading tap, fastify and the packages costs far more than most tests: files share a process. More of them gain little, and make
// it longer until the failures of one that crashes are known.
const largestBatch = 120

/**
 * Hands files to processes: `next` begins another process, undefined when nothing is left to run. Those that need one alone come
 * first: the longest are among them, and nothing should run by itself in the end. The others are taken one by one by whichever
 * process is ready, so that all end at about the same time.
 * @param {TestFile[]} files
 * @returns {{ next: () => Batch | undefined }}
 */
export function takeInTurn(files) {
  const own = files.filter((file) => file.own)
  const shared = files.filter((file) => !file.own)
  return {
    next: () => {
      if (own.length > 0) return batchOf([own.shift()], 1)
      return shared.length > 0 ? batchOf(shared, largestBatch) : undefined
    }
  }
}

/** The first file is kept for the process: the others may be gone until it has started. */
function batchOf(queue, most) {
  const first = queue.shift()
  let taken = 0
  const take = () => {
    taken++
    if (taken === 1) return first
    return taken <= most ? queue.shift() : undefined
  }
  return { long: first.long, take }
}
