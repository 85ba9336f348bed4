/** The views that are loaded after the list of logs, in one file. */

export { SourcesView } from './clocks/sources.tsx'
export { CardsView } from './closings/cards.tsx'
export { ClosingsView } from './closings/closings.tsx'
export { HoursView } from './hours/hours.tsx'
export { ManualLogView } from './hours/manual-log.tsx'
export { PersonPage } from './today/person-page.tsx'
export { TodayView } from './today/today.tsx'
