/** The zone that times in columns without one are meant in. */
export interface TimestampZone {
  /** The moment of a time that was read as one of UTC. */
  readonly toMoment: (written: Date) => Date
  /** The time of a moment, as if the zone were UTC. */
  readonly toWritten: (moment: Date) => Date
}

/** The zone that the setting `timestampZone` names: an offset such as `+02:00`, or `local` for that of the process; undefined for `Z`. */
export function timestampZone(setting: string): TimestampZone | undefined {
  const offset = setting === 'local' ? undefined : offsetOf(setting)
  if (offset === 0) return undefined
  if (offset === undefined) return local
  return {
    toMoment: (written) => new Date(written.getTime() - offset),
    toWritten: (moment) => new Date(moment.getTime() + offset)
  }
}

// The language takes years below 100 for those of the last century, unless they are set by themselves.
const local: TimestampZone = {
  toMoment: (written) => {
    const moment = new Date(2000, 0, 1)
    moment.setFullYear(written.getUTCFullYear(), written.getUTCMonth(), written.getUTCDate())
    const [minute, second] = [written.getUTCMinutes(), written.getUTCSeconds()]
    moment.setHours(written.getUTCHours(), minute, second, written.getUTCMilliseconds())
    return moment
  },
  toWritten: (moment) => {
    const written = new Date(0)
    written.setUTCFullYear(moment.getFullYear(), moment.getMonth(), moment.getDate())
    const [minute, second] = [moment.getMinutes(), moment.getSeconds()]
    written.setUTCHours(moment.getHours(), minute, second, moment.getMilliseconds())
    return written
  }
}

/** Milliseconds that the zone is ahead of UTC. */
function offsetOf(setting: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(setting) ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -size : size
}
