"""What the tools of the airline agent do."""

READS = (
    "calculate",
    "get_reservation_details",
    "get_user_details",
    "list_all_airports",
    "search_direct_flight",
    "search_onestop_flight",
    "think",
    "transfer_to_human_agents",
)
EFFECTS: dict[str, str] = dict.fromkeys(READS, "read")
