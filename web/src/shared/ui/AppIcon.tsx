/** Shows the icon that the home screen shows for the calculator. A file would be one more request. */
export const AppIcon = () => (
  <svg aria-hidden viewBox="0 0 512 512" width={56} height={56}>
    <rect width="512" height="512" rx="112" fill="#23272f" />
    <rect x="112" y="96" width="288" height="88" rx="24" fill="#e9edf3" />
    <g fill="#5b6472">
      <circle cx="148" cy="256" r="36" />
      <circle cx="256" cy="256" r="36" />
      <circle cx="148" cy="364" r="36" />
      <circle cx="256" cy="364" r="36" />
    </g>
    <rect x="328" y="220" width="72" height="180" rx="36" fill="#f08a24" />
  </svg>
)
