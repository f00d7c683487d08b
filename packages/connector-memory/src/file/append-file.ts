import { statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A promise with the functions that settle it. */
export interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/** An append-only file that never contains part of a write, unless the process dies while writing. */
export interface AppendFile {
  /** Bytes that are known to be written. */
  readonly size: number
  /** Writes the whole text or rejects. Partial data of a failed write is truncated at once, or else before the next one. */
  append: (text: string, sync: boolean) => Promise<void>
  /** Whether `path` still refers to the same file. */
  isAt: (path: string) => boolean
  /** Resolves when everything is on disk. */
  sync: () => Promise<void>
  close: () => Promise<void>
}

/** Opens or creates the file, and truncates it to `size` bytes. */
export async function openForAppending(path: string, size: number): Promise<AppendFile> {
  const handle = await open(path, 'a')
  let [written, isClean] = [size, false]
  const identity = await handle.stat()
  return {
    get size() {
      return written
    },
    async append(text, sync) {
      if (!isClean) await handle.truncate(written)
      isClean = false
      const bytes = Buffer.from(text)
      try {
        await handle.appendFile(bytes)
        if (sync) await handle.datasync()
      } catch (error) {
        // What was refused must not come back after the process has died. The next write tries again to cut it off.
        await Promise.allSettled([handle.truncate(written)])
        throw error
      }
      written += bytes.length
      isClean = true
    },
    isAt(at) {
      // Takes microseconds, where a turn through the thread pool would halve the speed of writing.
      const named = statSync(at, { throwIfNoEntry: false })
      return named?.ino === identity.ino && named.dev === identity.dev
    },
    sync: () => handle.datasync(),
    close: () => handle.close()
  }
}

/** Syncs the folder of `path` to disk, if the system supports that. */
export async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(dirname(path), 'r')
    await handle.sync()
  } catch (error) {
    // Windows opens no folders; its file system writes names down by itself. Elsewhere the names may be lost.
    if (process.platform !== 'win32') throw error
  } finally {
    await handle?.close()
  }
}

/** Makes a promise that is settled from outside: `Promise.withResolvers`, which Node 20 does not have. */
export function createDeferred(): Deferred {
  const settle: { resolve?: () => void; reject?: (reason: Error) => void } = {}
  const promise = new Promise<void>((resolve, reject) => {
    settle.resolve = resolve
    settle.reject = reject
  })
  return { promise, resolve: () => settle.resolve?.(), reject: (reason) => settle.reject?.(reason) }
}
