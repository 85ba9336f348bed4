/** The views that are loaded after the list of logs, in one file. */
export { CardsView } from './cards.tsx'
export { ClosingsView } from './closings.tsx'
export { HoursView } from './hours.tsx'
export { ManualLogView } from './manual-log.tsx'
export { SourcesView } from './sources.tsx'
