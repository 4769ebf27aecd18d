/** The logo, a plumb line, with the name. */
export function Brand({ href }: { readonly href?: string }) {
  const content = (
    <>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="var(--accent)" />
        <path d="M16 4v10" stroke="var(--on-accent)" stroke-width="2" stroke-linecap="round" />
        <path d="M11 14h10l-2 7-3 7-3-7z" fill="var(--on-accent)" />
      </svg>
      Plumbline
    </>
  );
  if (!href) return <span class="brand">{content}</span>;
  return (
    <a class="brand" href={href}>
      {content}
    </a>
  );
}
