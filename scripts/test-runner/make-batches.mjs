/** @typedef {import('./find-test-files.mjs').TestFile} TestFile */

// Loading tap and fastify costs far more than most tests: files share a process. More files per process
// gain little, and make it longer until the failures of a crashed one are known.
const largestBatch = 40

/**
 * Groups of files that share one process each: `.own.test` files alone, the others evenly over the jobs. Those alone come
 * first: the longest are among them, and nothing should run by itself in the end.
 * @param {TestFile[]} files
 * @param {number} jobs
 * @returns {TestFile[][]}
 */
export function makeBatches(files, jobs) {
  const own = files.filter((file) => file.own).map((file) => [file])
  const shared = files.filter((file) => !file.own)
  const size = Math.min(largestBatch, Math.ceil(shared.length / jobs))
  return [...own, ...chunk(shared, size)]
}

function chunk(items, size) {
  const chunks = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}
