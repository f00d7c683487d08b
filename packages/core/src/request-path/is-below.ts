import { requestPath } from './request-path.ts'
import { splitTarget } from './split-target.ts'
import type { FastifyRequest } from 'fastify'

const lower = (segments: readonly string[]): readonly string[] => segments.map((each) => each.toLowerCase())

/**
 * True when the path of a request is one of `paths` or below one of them, in any case and however it is spelled. An
 * invalid path matches nothing.
 */
export function isBelow(request: FastifyRequest, paths: readonly string[]): boolean {
  const path = requestPath(request)
  if (path === undefined) return false
  const segments = lower(path.segments)
  return paths.some((root) => {
    const split = splitTarget(root === '' ? '/' : root)
    return split !== undefined && lower(split.segments).every((each, at) => each === segments[at])
  })
}
