/** @typedef {import('./run-batch.mjs').BatchResult} BatchResult */

const longestStderr = 4000
const longestFact = 400
const longestDetails = 80
const shownElsewhere = new Set(['diff', 'stack', 'at', 'source', 'compare', 'message', 'found', 'wanted'])

/**
 * One line for a finished batch, then its notes, failures, troubles and, when it has any, what it wrote to stderr.
 * @param {BatchResult} batch
 * @returns {string}
 */
export function describeBatch(batch) {
  const { passed, failed } = countBatch(batch)
  const state = failed === 0 ? 'ok  ' : 'FAIL'
  const head = `${state} ${batch.files.size} files, ${passed} tests passed, ${failed} failed, ${batch.seconds.toFixed(1)} s`
  const details = [
    ...batch.notes,
    ...batch.failures.map(describeFailure),
    ...batch.troubles.map((text) => `FAIL ${text}`)
  ]
  return [head, ...details, ...describeStderr(batch, failed)].join('\n')
}

/**
 * The skipped tests of all batches by name, each with its reason.
 * @param {BatchResult[]} batches
 * @returns {string}
 */
export function describeSkips(batches) {
  return batches
    .flatMap((batch) => batch.skips)
    .map((skip) => `SKIP ${[skip.source, ...skip.path].join(' > ')} (${skip.reason})`)
    .join('\n')
}

/**
 * The files that took most CPU.
 * @param {BatchResult[]} batches
 * @param {number} most how many
 * @returns {string}
 */
export function describeSlowest(batches, most) {
  const times = batches.flatMap((batch) => batch.times).toSorted((one, other) => other.cpu - one.cpu)
  return times
    .slice(0, most)
    .map(
      ({ source, seconds, cpu }) =>
        `${cpu.toFixed(1).padStart(6)} s of CPU, ${seconds.toFixed(1).padStart(5)} s  ${source}`
    )
    .join('\n')
}

/**
 * Passed and failed points of a batch; each trouble is one failure.
 * @param {BatchResult} batch
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countBatch(batch) {
  const files = [...batch.files.values()]
  const sum = (pick) => files.reduce((total, file) => total + pick(file), 0)
  return {
    passed: sum((file) => file.passed),
    failed: sum((file) => file.failed) + batch.troubles.length,
    skipped: batch.skips.length
  }
}

/**
 * The last line of a run.
 * @param {{ passed: number, failed: number, skipped: number }} count
 * @returns {string}
 */
export function describeCount({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function describeFailure({ source, path, diag }) {
  const details = describeDiag(diag).map((line) => `  ${line}`)
  const shown = details.length > longestDetails ? [...details.slice(0, longestDetails), '  …'] : details
  return [`\nFAIL ${[source, ...path].join(' > ')}`, ...shown].join('\n')
}

function describeDiag(diag) {
  const facts = Object.entries(diag).filter(([key]) => !shownElsewhere.has(key))
  return [
    ...(diag.message === undefined ? [] : [String(diag.message)]),
    ...facts.map(([key, value]) =>
      `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, longestFact)
    ),
    ...describeDifference(diag),
    ...describePlace(diag)
  ].flatMap((text) => text.trimEnd().split('\n'))
}

function describeDifference(diag) {
  if (typeof diag.diff === 'string') return [diag.diff]
  return ['found', 'wanted'].filter((key) => key in diag).map((key) => `${key}: ${JSON.stringify(diag[key], null, 2)}`)
}

function describePlace(diag) {
  const frames = String(diag.stack ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('test-runner/batch-entry'))
  if (frames.length > 0) return frames
  const at = diag.at
  return at?.fileName === undefined ? [] : [`${at.fileName}:${at.lineNumber}:${at.columnNumber}`]
}

function describeStderr(batch, failed) {
  const text = batch.stderr.trim()
  if (failed === 0 || text === '') return []
  return ['', 'stderr of this process:', text.slice(-longestStderr)]
}
