/** What stands where rows will be. */
export const Skeleton = ({ rows }: { rows: number }) => (
  <div class="skeleton" aria-hidden="true">
    {Array.from({ length: rows }, (_, i) => (
      <div key={i} />
    ))}
  </div>
)
