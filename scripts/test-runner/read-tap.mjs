import { Parser } from 'tap-parser'
import { fileMarker } from './batch-protocol.mjs'

/**
 * @typedef {{ source: string, passed: number, failed: number }} FileCount
 * @typedef {{ source: string, path: string[], diag: Record<string, unknown> }} Failure
 * @typedef {{ source: string, path: string[], reason: string }} Skip
 * @typedef {{ files: Map<string, FileCount>, failures: Failure[], skips: Skip[] }} TapResult
 */

/**
 * A tap-parser to write TAP into, and the result it fills: one pass or failure for each point of a file's top level,
 * every failed point and every skipped one with the names of the tests around it.
 * @returns {{ parser: Parser, result: TapResult }}
 */
export function readTap() {
  const result = { files: new Map(), failures: [], skips: [], running: '' }
  const parser = new Parser({ strict: false })
  parser.on('comment', (comment) => startFile(result, comment))
  listen(parser, result, [], (point) => countPoint(result, point))
  return { parser, result }
}

function startFile(result, comment) {
  const at = comment.indexOf(fileMarker)
  if (at === -1) return
  result.running = comment.slice(at + fileMarker.length).trim()
  result.files.set(result.running, { source: result.running, passed: 0, failed: 0 })
}

function countPoint(result, point) {
  const count = result.files.get(result.running)
  if (count === undefined || isSkip(point)) return
  if (point.ok) count.passed += 1
  else count.failed += 1
}

function listen(parser, result, path, onPoint) {
  let failuresBefore = result.failures.length
  parser.on('child', (child) => {
    failuresBefore = result.failures.length
    listen(child, result, [...path, child.name], () => {})
  })
  parser.on('assert', (point) => {
    // A test is reported through the failed points in it; by itself only when there are none.
    const explained = result.failures.length > failuresBefore
    failuresBefore = result.failures.length
    onPoint(point)
    if (isSkip(point)) result.skips.push({ source: result.running, path: [...path, point.name], reason: reason(point) })
    else if (!point.ok && !explained) addFailure(result, [...path, point.name], point.diag)
    failuresBefore = result.failures.length
  })
}

function addFailure(result, path, diag) {
  result.failures.push({ source: result.running, path, diag: diag ?? {} })
}

function isSkip(point) {
  return Boolean(point.skip) || Boolean(point.todo)
}

function reason(point) {
  const text = point.skip || point.todo
  return typeof text === 'string' ? text : 'no reason given'
}
