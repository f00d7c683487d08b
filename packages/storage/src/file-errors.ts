import { ApiError } from '@modelwire/core'
import {
  ContainerExists,
  ContainerNotEmpty,
  FileNameInvalid,
  FileNotFound,
  StorageFailed,
  StorageFull
} from './errors.ts'

/** The code of an error of Node's file system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

type MakeError = (name: string, cause: unknown) => ApiError

const makers: ReadonlyMap<unknown, MakeError> = new Map<unknown, MakeError>([
  ['ENOENT', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['ENOTDIR', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['ELOOP', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['EISDIR', (name, cause) => new FileNotFound(`File not found: ${name}`, { cause })],
  ['EEXIST', (name, cause) => new ContainerExists(`The container "${name}" exists already`, { cause })],
  ['ENOTEMPTY', (name, cause) => new ContainerNotEmpty(`The container "${name}" is not empty`, { cause })],
  ['ENAMETOOLONG', (_name, cause) => new FileNameInvalid('Invalid name: it is too long', { cause })],
  ['ENOSPC', (_name, cause) => new StorageFull('The disk is full', { cause })],
  ['EDQUOT', (_name, cause) => new StorageFull('The quota of the disk is used up', { cause })]
])

/**
 * Translates an error of the file system for callers that named `name`: paths of the machine are in its `cause` alone.
 */
export function fileError(error: unknown, name: string): unknown {
  if (error instanceof ApiError || !(error instanceof Error) || error.name === 'AbortError') return error
  const make = makers.get(codeOf(error))
  return make?.(name, error) ?? new StorageFailed('The file system refused the operation', { cause: error })
}

/** Carries out work on the file system, with errors that name `name`. */
export async function onDisk<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileError(error, name)
  }
}
