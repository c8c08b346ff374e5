"""The assistant's websockets."""

from django.urls import path

from assistant.consumers import ChatConsumer, WidgetConsumer

websocket_urlpatterns = [
    path("ws/chat/", ChatConsumer.as_asgi()),
    path("ws/chat/widget/", WidgetConsumer.as_asgi()),
]
